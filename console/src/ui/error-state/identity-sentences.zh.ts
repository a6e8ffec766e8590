import type { Sentences } from "./sentences";

/** What accounts, tokens, workspaces, applications, share links and data requests are refused with. */
export const identitySentences: Sentences = {
  "No workspace {1}.": "没有空间 {1}。",
  "the password so far is needed.": "需要填写当前的密码。",
  "The access token is missing, unknown, expired or revoked.":
    "缺少访问令牌，或它未知、已过期或已撤销。",
  "This token may not be used from your address; see its networks.":
    "不能从你的地址使用此令牌，请查看它的网络范围。",
  "Sign in once more for this: the last time was a while ago.":
    "距离上次登录已有一段时间，请重新登录以继续。",
  "Too many requests from this address; wait a moment, or use a token.":
    "来自此地址的请求过多，请稍候，或使用令牌。",
  "Too many requests with this token; wait a moment.": "使用此令牌的请求过多，请稍候。",
  "Too many attempts with wrong access tokens; wait a moment.": "使用错误令牌的尝试过多，请稍候。",
  "There is no such picture.": "没有这张图片。",
  "There is no administrator yet; start the server once.": "还没有管理员，请先启动一次服务器。",
  "At most {1} invitations are open at a time: revoke one.":
    "最多可有 {1} 个未使用的邀请，请先撤销一个。",
  "An application cannot get more than the token that registers it.":
    "应用的权限不能超过注册它的令牌。",
  "No application {1}.": "没有应用 {1}。",
  "A workspace has at most {1} applications: delete one.":
    "一个空间最多有 {1} 个应用，请先删除一个。",
  "not one of those that the application registered, letter by letter.":
    "与应用登记的地址不完全相同。",
  "expected code.": "应为 code。",
  "choose one.": "请选择一个。",
  "Too many wrong codes; wait a moment.": "错误的代码过多，请稍候。",
  "Nobody asks with this code, or no longer; look at the device again.":
    "没有使用此代码的请求，或它已失效，请查看设备上的代码。",
  "Too many requests of this application wait for an answer.": "此应用等待处理的请求过多。",
  "Too many requests of applications from your address; wait a moment.":
    "来自你的地址的应用请求过多，请稍候。",
  "No grant {1}.": "没有授权 {1}。",
  "Too many wrong secrets and codes; wait a moment.": "错误的密钥和代码过多，请稍候。",
  "The provider names an address that is none.": "提供方给出的地址无效。",
  "expected an https address.": "应为 https 地址。",
  "The provider answers {1} when asked for {2}.": "向提供方请求 {2:part} 时，它返回 {1}。",
  "The provider does not answer JSON when asked for {1}.":
    "向提供方请求 {1:part} 时，它返回的不是 JSON。",
  "The provider answers without an id token.": "提供方的响应中没有 ID 令牌。",
  "The provider's access token is none.": "提供方的访问令牌无效。",
  "What {1} says is incomplete: {2}": "{1} 的内容不完整：{2}",
  "The provider calls itself {1}; issuer has to be exactly that.":
    "提供方自称 {1}，issuer 必须与它完全相同。",
  "No provider {1}.": "没有登录提供方 {1}。",
  "at most {1} printable characters.": "最多 {1} 个可打印字符。",
  "The client's secret cannot be read; set it anew.": "无法读取客户端密钥，请重新设置。",
  "A deployment has at most {1} providers: delete one.":
    "一个部署最多有 {1} 个登录提供方，请先删除一个。",
  "give it anew for another issuer.": "更换 issuer 后需要重新填写。",
  "This provider stands in the configuration file: change it there.":
    "此登录提供方来自配置文件，请在那里修改。",
  "The sign-in took too long, or began in another browser; begin anew.":
    "登录耗时过长，或是在另一个浏览器中开始的，请重新登录。",
  "The provider's answer cannot be used.": "无法使用登录提供方的响应。",
  "The provider did not sign you in.": "登录提供方没有让你登录。",
  "This account is disabled.": "此账号已停用。",
  "Nobody here has an account for you.": "这里没有你的账号。",
  "An account has your address already.": "已有账号使用你的邮箱地址。",
  "The session has ended; sign in again.": "登录已失效，请重新登录。",
  "Nobody opens an account here this way; ask an administrator.":
    "不能自行注册账号，请联系管理员。",
  "another account has this name.": "已有账号使用此名称。",
  "No service token {1}.": "没有服务令牌 {1}。",
  "A workspace has at most {1} service tokens: revoke one that is not needed any more.":
    "一个空间最多有 {1} 个服务令牌，请先撤销不再需要的令牌。",
  "no agent {1}.": "没有智能体 {1}。",
  "in the future, within {1} days.": "应在将来，且不超过 {1} 天。",
  "Sharing needs the permission workspace.write or a grant to manage it.":
    "共享需要权限 workspace.write，或管理它的授权。",
  "A token that is limited to an end user shares nothing.":
    "限定了最终用户的令牌不能共享任何内容。",
  "There are {1} {2} already; take one away first.": "{2:kind} 已有 {1} 个，请先移除一个。",
  "User {1} is not in this group.": "用户 {1} 不在此用户组中。",
  "This link was used already, or is older than 30 minutes.": "此链接已使用过，或已超过 30 分钟。",
  "This account is disabled; enable it first.": "此账号已停用，请先启用。",
  "Name and password do not belong together.": "用户名或密码不正确。",
  "Too many failed attempts; wait {1}.": "失败的尝试过多，请等待 {1}。",
  "{1} minutes": "{1} 分钟",
  "a minute": "一分钟",
  "This deployment has no passwords; sign in another way.": "此部署不使用密码，请用其他方式登录。",
  "An account owns at most {1} workspaces: delete one, or make somebody else its owner and leave.":
    "一个账号最多拥有 {1} 个空间：请删除一个，或把所有者转给他人后离开。",
  "A legal hold is on the workspace: lift it before you delete it.":
    "空间处于法律保留状态，请先解除保留再删除。",
  "No account is called {1}.": "没有名为 {1} 的账号。",
  "The account {1} is disabled.": "账号 {1} 已停用。",
  "No token {1}.": "没有令牌 {1}。",
  "you are not a member of all of these.": "其中有你不是成员的空间。",
  "A short-lived token cannot make tokens.": "短期令牌不能创建令牌。",
  "name at least one agent.": "请至少指定一个智能体。",
  "Give duration_days or expires_at, not both.": "duration_days 和 expires_at 只能填写一个。",
  "another account has this address.": "已有账号使用此地址。",
  "The workspace of this token is gone.": "此令牌所属的空间已不存在。",
  "No account is named {1}.": "没有名为 {1} 的账号。",
  "Make someone else an administrator first.": "请先让其他人成为管理员。",
  "nothing of this workspace may be removed until it is lifted.":
    "解除保留之前，不能删除此空间的任何内容。",
  "At most {1} requests of a workspace are under way: wait for one.":
    "一个空间最多同时处理 {1} 个数据请求，请等待其中一个完成。",
  "There is no file: not yet, or not any more. Ask again for one.":
    "文件尚未生成，或已不存在，请重新请求。",
  "No data request {1}.": "没有数据请求 {1}。",
  "A legal hold is on the workspace.": "空间处于法律保留状态。",
  "The hook has to answer a data.uid of 1 to {1} bytes on one line, without | / and \\.":
    "钩子必须返回 data.uid：单行，1 到 {1} 字节，不含 |、/ 和 \\。",
  "The server that knows its users does not answer. Try again in a moment.":
    "识别用户的服务器没有响应，请稍后再试。",
  "The site does not let you in here.": "此网站不允许你进入。",
  "A workspace has at most {1} share links: revoke one that is not needed any more.":
    "一个空间最多有 {1} 个分享链接，请先撤销不再需要的链接。",
  "{1} to {2} characters.": "{1} 到 {2} 个字符。",
  "What this link leads to does not answer any more.": "此链接所指向的内容已不再提供服务。",
  "The session has ended, or is for another link; open it again.":
    "会话已结束，或属于另一个链接，请重新打开。",
  "Too many requests; wait a moment.": "请求过多，请稍候。",
  "There is no such link, or it was revoked.": "没有这个链接，或它已撤销。",
  "the site around this chat has to say who you are.": "嵌入此对话的网站需要说明你是谁。",
  "the site that led you here has to say who you are.": "带你来此的网站需要说明你是谁。",
  "Sign in for this chat.": "请先登录再使用此对话。",
  "This chat is for the members of its workspace.": "此对话只供空间的成员使用。",
  "this link asks for one.": "此链接需要密码。",
  "Too many passwords from this address; wait a while.": "来自此地址的密码尝试过多，请稍候。",
  "this is not the password of the link.": "不是此链接的密码。",
  "A personal workspace belongs to one account; create a team workspace instead.":
    "个人空间只属于一个账号，请创建团队空间。",
  "Only an owner of the workspace may do this.": "只有空间的所有者可以执行此操作。",
  "Make someone else an owner first.": "请先让其他人成为所有者。",
  "This invitation is unknown, used up, revoked or too old.":
    "此邀请未知、已使用、已撤销或已过期。",
  "owners are made of members, not by an invitation.": "所有者由成员担任，不能通过邀请产生。",
  "{1} to {2}, or null for any number.": "应在 {1} 到 {2} 之间，或为空表示不限次数。",
  "{1} is no https address, http address of the own machine, or address of a program (com.example.app:/callback); no fragment, no user name.":
    "{1} 不是 https 地址、本机的 http 地址或程序的地址（com.example.app:/callback）；不能有片段和用户名。",
  "admin is never granted to an application.": "不能把 admin 授予应用。",
  "1 to {1} addresses.": "应有 1 到 {1} 个地址。",
  "an application of type {1} has none.": "类型为“{1:app}”的应用没有此项。",
  "for applications of type pkce.": "用于类型为 pkce 的应用。",
  "for applications of type jwt, and needed there.": "用于类型为 jwt 的应用，并且必填。",
  "1 to 128 letters, digits, dots, dashes, tildes or underscores.":
    "应为 1 到 128 个字母、数字、点、连字符、波浪号或下划线。",
  "An application of type {1} has no secret.": "类型为“{1:app}”的应用没有密钥。",
  "used already.": "已使用过。",
  "this application has to send one.": "此应用必须发送此项。",
  "expected the SHA-256 of the verifier in base64url.":
    "应为 verifier 的 SHA-256，以 base64url 编码。",
  "16 to 128 letters, digits, dots, dashes, tildes, underscores.":
    "应为 16 到 128 个字母、数字、点、连字符、波浪号或下划线。",
  'send S256; "plain" is off for this application.': '请发送 S256；此应用已停用 "plain"。',
  "This request has expired; go back to the application and begin anew.":
    "此请求已过期，请回到应用重新开始。",
  "This request was answered already.": "此请求已经有人处理过。",
  "the application asks for another workspace.": "应用请求的是另一个空间。",
  "unknown, expired or used already.": "未知、已过期或已使用过。",
  "expected an https address": "应为 https 地址",
  "expected an https address without query, fragment or name":
    "应为 https 地址，不含查询参数、片段和用户名",
  "1 to {1} printable characters": "应有 1 到 {1} 个可打印字符",
  "at most {1} characters": "最多 {1} 个字符",
  "at most {1}, one of them openid": "最多 {1} 个，其中须有 openid",
  "words without spaces or quotes": "应为不含空格和引号的单词",
  "at most {1}": "最多 {1}",
  "needed to read the groups that roles are for": "读取角色所对应的用户组时需要此项",
  "owners are made by owners; give admin at most": "所有者只能由所有者指定，最多授予 admin",
  "this one is easily guessed; take a few words that only you would put together.":
    "这个密码容易被猜中，请使用几个只有你会放在一起的词。",
  "A token cannot grant more than the one that creates it.": "令牌的权限不能超过创建它的令牌。",
  "A token cannot outlive the one that creates it: give an earlier expires_at.":
    "令牌的有效期不能超过创建它的令牌，请提前 expires_at。",
  "{1} is no address or network such as 192.0.2.0/24.": "{1} 不是地址或网络，例如 192.0.2.0/24。",
  "1 to {1} of them, or leave it out for all.": "应有 1 到 {1} 个，或不填表示全部。",
  "admin is for tokens of people; a service token has one workspace.":
    "admin 用于个人的令牌；服务令牌只属于一个空间。",
  "name at least one agent, or leave it out for all.": "请至少指定一个智能体，或不填表示全部。",
  "4 to 20 letters, digits, dots, dashes or underscores, beginning with a letter or digit.":
    "应为 4 到 20 个字母、数字、点、连字符或下划线，以字母或数字开头。",
  "expected an address like name@example.org.": "应为邮箱地址，例如 name@example.org。",
  "expected an http(s) address.": "应为 http 或 https 地址。",
  "The bootstrap token begins with pat_ and has at least 20 characters, letters, digits and _.~- only.":
    "初始令牌以 pat_ 开头，至少 20 个字符，只能使用字母、数字和 _.~-。",
  "name somebody, in at most {1} characters.": "请指定一个人，最多 {1} 个字符。",
  "{1} to {2}, or null for as long as the deployment keeps it.":
    "应在 {1} 到 {2} 之间，或为空表示与部署的保留时间一致。",
  "this is too long for a key.": "作为密钥过长。",
  "set one for this way to come in.": "使用这种进入方式时必须设置。",
  "set it for this way to come in.": "设置后才能使用这种进入方式。",
  "This link has expired.": "此链接已过期。",
  "{1} is no origin such as https://www.example.com.":
    "{1} 不是网站的来源，例如 https://www.example.com。",
  "expected an address such as https://shop.example.com/hooks.":
    "应为地址，例如 https://shop.example.com/hooks。",
  "at most {1} questions.": "最多 {1} 个问题。",
  "expected a colour like #2f5bd7.": "应为颜色，例如 #2f5bd7。",
  "1 to {1} bytes on one line, without | / and \\.": "单行，1 到 {1} 字节，不含 |、/ 和 \\。",
  "the token is for another link.": "令牌属于另一个链接。",
  "the token has expired.": "令牌已过期。",
  "within a day from now.": "应在一天之内。",
  "the token is not valid yet.": "令牌尚未生效。",
  "this is the private key; keep it, and send the public one.":
    "这是私钥，请妥善保管，并发送公钥。",
  "expected a public key of RSA in PEM.": "应为 PEM 格式的 RSA 公钥。",
  "{1} to {2} bits.": "应为 {1} 到 {2} 位。",
  "this is no signed JWT.": "不是已签名的 JWT。",
  "sign it with HS256 and the key of the link, or with RS256 if the link has a public key.":
    "请用 HS256 和链接的密钥签名；链接有公钥时用 RS256。",
  "its signature is wrong.": "签名不正确。",
  "No group {1}.": "没有用户组 {1}。",
  "This provider changed meanwhile; read it again.": "此登录提供方已被更改，请刷新后再试。",
  "No invitation {1}.": "没有邀请 {1}。",
  "No session {1}.": "没有登录会话 {1}。",
  "No share link {1}.": "没有分享链接 {1}。",
};
