import { expect, test } from "vitest";
import { storedOf } from "./stored";

function filesOf(...items: object[]) {
  const content = JSON.stringify([{ type: "text", text: "Look" }, ...items]);
  const head = { id: "1", chat_id: "2", type: "question", created_at: 1 };
  return storedOf({ ...head, content, content_type: "object_string" }).files;
}

test("a picture of one's own is shown after a reload, from this origin", () => {
  const file_url = "https://coterie.example/files/signed?until=1";
  expect(filesOf({ type: "image", name: "pier.png", file_id: "7", file_url })).toEqual([
    { name: "pier.png", url: "/files/signed?until=1", isImage: true },
  ]);
});

test("a page opens where nothing in it runs, and what is elsewhere is named alone", () => {
  const file_url = "https://elsewhere.example/x.png";
  expect(
    filesOf(
      { type: "file", name: "report.HTML", file_id: "7", file_url: "/files/a" },
      { type: "image", name: "plan.svg", file_id: "8", file_url: "/files/b" },
      { type: "image", name: "x.png", file_url },
    ),
  ).toEqual([
    { name: "report.HTML", url: "/console/frame/file/7", isImage: false },
    { name: "plan.svg", url: "/console/frame/file/8", isImage: false },
    { name: "x.png", url: "", isImage: true },
  ]);
});
