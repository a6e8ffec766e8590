"""What a server says once it answers: where, with which token, and how to try it."""

import json
from dataclasses import dataclass

TOKEN_VARIABLE = "$COTERIE_TOKEN"  # noqa: S105 - the name a reader fills in
CONFIGURED_VARIABLE = "COTERIE_BOOTSTRAP_TOKEN"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Everything a user or a program needs to begin.

    ``token`` only on the first start, and only if it was generated: what is announced ends up in
    logs, and a configured one is known to who set it.
    """

    version: str
    url: str
    operations_url: str
    port: int
    pid: int
    token: str
    is_token_configured: bool
    welcome_url: str = ""
    """Signs the administrator in once; only on the first start."""
    agent_id: int
    agent_name: str
    docs_url: str
    """Empty if there is none."""
    is_offline: bool
    siblings_urls: tuple[str, ...] = ()
    """Where operators ask the other servers on the same listener."""

    def document(self) -> dict[str, object]:
        """The same as one JSON object, for programs."""
        siblings = {"siblings_urls": self.siblings_urls} if self.siblings_urls else {}
        return {
            "url": self.url,
            "operations_url": self.operations_url,
            **siblings,
            "port": self.port,
            "pid": self.pid,
            "token": self.token or None,
            "welcome_url": self.welcome_url or None,
            "agent_id": str(self.agent_id) if self.agent_id else None,
            "version": self.version,
        }

    def lines(self) -> list[str]:
        """Text for a terminal, with a command that answers when pasted."""
        lines = [f"Coterie {self.version} on {self.url} (pid {self.pid})"]
        if self.docs_url:
            lines.append(f"  API documentation  {self.docs_url}")
        lines.append(f"  operations         {self.operations_url}  (metrics, state of each part)")
        lines += [f"                     {url}" for url in self.siblings_urls]
        if self.agent_id:
            lines.append(f"  agent              {self.agent_name}, bot_id {self.agent_id}")
        if self.token:
            lines.append(f"  token              {self.token}  (shown once; keep it)")
        elif self.is_token_configured:
            lines.append(f"  token              the one in {CONFIGURED_VARIABLE}")
        else:
            lines.append("  token              make another with: coterie token create")
        if self.welcome_url:
            lines.append(f"  console            {self.welcome_url}  (once, within 30 minutes)")
        else:
            lines.append(f"  console            {self.url}/console/  (link: coterie console link)")
        if self.is_offline:
            lines.append(
                "  model              built-in offline model; add a real one in the console under "
                "Models, or set OPENAI_BASE_URL and OPENAI_API_KEY"
            )
        if self.agent_id:
            lines += ["", "Try it:", "", self._curl(), ""]
        return lines

    def _curl(self) -> str:
        body = json.dumps(
            {
                "bot_id": str(self.agent_id),
                "user_id": "me",
                "stream": True,
                "additional_messages": [
                    {
                        "role": "user",
                        "content": "Hello! What can you do?",
                        "content_type": "text",
                    }
                ],
            }
        )
        variable = f"${CONFIGURED_VARIABLE}" if self.is_token_configured else TOKEN_VARIABLE
        return (
            f"curl -N {self.url}/v3/chat \\\n"
            f'  -H "Authorization: Bearer {self.token or variable}" \\\n'
            f'  -H "Content-Type: application/json" \\\n'
            f"  -d '{body}'"
        )
