export const text = {
  title: "Pictures",
  search: "Search names and captions",
  views: { label: "View", cards: "Pictures", table: "List" },
  captioned: { label: "Caption", with: "With caption", without: "Without caption" },
  noMatch: "No picture matches",
  noPicture: "The picture is not here yet",
  noCaption: "No caption yet",
  edit: "Edit caption",
  caption: "Caption",
  captionHint: "What the picture shows. Searches find it by this, and by the text in it.",
  save: "Save caption",
  saved: "Saved the caption",
  propose: "Propose",
  proposeWhy: "A model looks at the picture. Nothing is saved until you do.",
  read: "Text in the picture",
  noRead: "No text was read in this picture.",
  hidden: "Without a caption or text in it, searches do not find this picture.",
  actualSize: "Actual size",
  fit: "Fit",
};

export type Text = typeof text;
