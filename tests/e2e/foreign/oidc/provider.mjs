// A certified provider of OpenID Connect, with the people of a test. It prints where it listens.

import { createServer } from "node:http";
import Provider from "oidc-provider";

const { CLIENT_ID, CLIENT_SECRET, COTERIE_URL } = process.env;
const GROUPS = { ann: ["engineers"], bob: ["engineers", "leads"], cy: [] };
const callback = `${COTERIE_URL}/admin/v1/auth/oidc/corp`;
const server = createServer();

server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${callback}/callback`],
        post_logout_redirect_uris: [`${COTERIE_URL}/console/sign-in`],
        backchannel_logout_uri: `${callback}/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ["sub", "sid", "groups"],
      profile: ["name", "preferred_username"],
      email: ["email", "email_verified"],
    },
    features: { backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `${id[0].toUpperCase()}${id.slice(1)} of Corp`,
        preferred_username: `${id}.corp`,
        email: `${id}@corp.example`,
        email_verified: true,
        groups: GROUPS[id] ?? [],
      }),
    }),
  });
  server.on("request", provider.callback());
  console.log(JSON.stringify({ issuer }));
});
