type Coded = { code: string };

/** Where people find what a share link leads to. */
export function addressOf({ code }: Coded): string {
  return `${location.origin}/s/${code}`;
}

/** The line that puts it on another site. */
export function embedOf({ code }: Coded): string {
  return `<script src="${location.origin}/embed.js" data-link="${code}" async></script>`;
}
