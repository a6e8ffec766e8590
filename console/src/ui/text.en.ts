import { plural } from "../text/formats";

export const text = {
  cancel: "Cancel",
  clear: "Clear",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  copyId: "Copy id",
  idCopied: "Id copied",
  remove: "Delete",
  copyDetails: "Copy details",
  dismiss: "Dismiss",
  logId: (id: string) => `Log id ${id}`,
  loadingMore: "Loading more",
  more: "More actions",
  moreFor: (name: string) => `More actions for ${name}`,
  notifications: "Notifications",
  required: "required",
  retry: "Try again",
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all",
  takesLonger: "This takes longer than usual.",
  typeName: (name: string) => `Type “${name}” to confirm`,
  failure: {
    unreachable: "The server does not answer",
    unreachableWhy: "It may be restarting, or the network is down.",
    notFound: "Not here, or not for you",
    notFoundWhy: "It was deleted, or you have no right to see it.",
    forbidden: "You cannot do this",
    defect: "A defect on our side",
    defectWhy: "Copy the details for whoever runs this server.",
    restarting: "The server is restarting",
    tooMany: "Too many requests",
    tooManyWhy: (seconds: number) =>
      `Wait ${plural(seconds, { one: "# second", other: "# seconds" })}.`,
    refused: "The server refused this",
    broken: "This part of the page failed",
  },
};

export type Text = typeof text;
