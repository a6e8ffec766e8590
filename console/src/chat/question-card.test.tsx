import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { uiText } from "../ui/text";
import { QuestionCard } from "./question-card";
import { chatText } from "./text";

beforeAll(async () => {
  await Promise.all([chatText.load("en"), uiText.load("en")]);
});

const NONE = { text: "", options: [], fields: [], url: "" };

test("an option answers with its name", () => {
  const onAsk = vi.fn();
  render(<QuestionCard asked={{ ...NONE, options: ["Bus", "Ferry"] }} onAsk={onAsk} />);
  fireEvent.click(screen.getByRole("button", { name: "Ferry" }));
  expect(onAsk).toHaveBeenCalledWith("Ferry");
});

test("a form is sent once what it needs is there", () => {
  const onAsk = vi.fn();
  const fields = [
    { name: "day", type: "string", isRequired: true, hint: "" },
    { name: "persons", type: "integer", isRequired: false, hint: "Children too" },
    { name: "bicycle", type: "boolean", isRequired: false, hint: "" },
  ];
  render(<QuestionCard asked={{ ...NONE, fields }} onAsk={onAsk} />);
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(onAsk).not.toHaveBeenCalled();
  expect(screen.getByText("Fill this in.")).toBeTruthy();
  fireEvent.change(screen.getByRole("textbox", { name: /day/ }), { target: { value: "Monday" } });
  // By its words: outside of browsers a press of the box reaches the box and its label, which undoes it.
  fireEvent.click(screen.getByText("bicycle"));
  const persons = screen.getByRole("textbox", { name: "persons", description: "Children too" });
  fireEvent.change(persons, { target: { value: "two" } });
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(onAsk).not.toHaveBeenCalled();
  expect(screen.getByText("Write a whole number.")).toBeTruthy();
  fireEvent.change(persons, { target: { value: "2" } });
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(onAsk).toHaveBeenCalledWith("day: Monday\npersons: 2\nbicycle: true");
});

test("access is given at an address of the web, and nowhere else", () => {
  const { rerender } = render(
    <QuestionCard asked={{ ...NONE, url: "https://sea.example/go" }} onAsk={vi.fn()} />,
  );
  expect(screen.getByRole("link", { name: "Give access at sea.example" })).toBeTruthy();
  rerender(<QuestionCard asked={{ ...NONE, url: "javascript:alert(1)" }} onAsk={vi.fn()} />);
  expect(screen.queryByRole("link")).toBeNull();
});
