import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { Combobox } from "../combobox/combobox";
import { MultiCombobox } from "../combobox/multi-combobox";
import { type ComboboxOption, matches } from "../combobox/options";
import { NumberField } from "../number/number-field";
import { RadioCards } from "../radio-cards/radio-cards";
import { Select } from "../select/select";
import { SliderField } from "../slider/slider-field";
import { Switch } from "../switch/switch";
import { TextArea } from "../text-field/text-area";

const FRUIT: readonly ComboboxOption[] = [
  { value: "1", label: "Äpfel", note: "rot" },
  { value: "2", label: "Birnen", note: "grün" },
  { value: "3", label: "知识库" },
];

describe("every field", () => {
  const facts = { label: "City", error: "There is no such city", onChange: () => undefined };
  test.each([
    ["select", "combobox", <Select key="a" {...facts} value={undefined} options={[]} />],
    ["combobox", "combobox", <Combobox key="b" {...facts} value={undefined} options={FRUIT} />],
    ["several", "combobox", <MultiCombobox key="c" {...facts} values={[]} options={FRUIT} />],
    ["number", "textbox", <NumberField key="d" {...facts} value={3} />],
    ["text", "textbox", <TextArea key="e" {...facts} value="" />],
  ])("of the kind %s has its name and says what is wrong", (_, role, field) => {
    render(field);
    const control = screen.getByRole(role, { name: "City" });
    expect(control.getAttribute("aria-invalid")).toBe("true");
    const note = document.getElementById(control.getAttribute("aria-describedby") ?? "");
    expect(note?.textContent).toBe("There is no such city");
  });
});

test("a choice of few is made by keys", async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  const options = [
    { value: "a", label: "First" },
    { value: "b", label: "Second" },
  ] as const;
  render(<Select label="Way" value="a" options={options} onChange={onChange} />);
  const control = screen.getByRole("combobox", { name: "Way" });
  expect(control.textContent).toContain("First");
  await user.click(control);
  await user.click(await screen.findByRole("option", { name: "Second" }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith("b");
});

test.each([
  ["apf", true],
  ["ROT äp", true],
  ["birn", false],
])("what was typed finds options whatever the case and accents: %s", (query, expected) => {
  const [apple] = FRUIT;
  expect(apple && matches(apple, query)).toBe(expected);
});

test("one of many is found by typing", async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  render(<Combobox label="Fruit" value={undefined} options={FRUIT} onChange={onChange} />);
  await user.type(screen.getByRole("combobox", { name: "Fruit" }), "知识");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
  await user.keyboard("{Enter}");
  expect(onChange).toHaveBeenCalledExactlyOnceWith(FRUIT[2]);
});

test("a source is asked for what was typed last, and its failure is said", async () => {
  const user = userEvent.setup();
  const asked: string[] = [];
  const source = (query: string) => {
    asked.push(query);
    return query === "bad" ? Promise.reject(new Error("no")) : Promise.resolve(FRUIT.slice(1, 2));
  };
  render(<Combobox label="Fruit" value={undefined} options={source} onChange={() => undefined} />);
  const field = screen.getByRole("combobox", { name: "Fruit" });
  await user.click(field);
  expect(await screen.findByRole("option", { name: /Birnen/ })).toBeTruthy();
  await user.type(field, "bad");
  expect(await screen.findByText("This could not be loaded")).toBeTruthy();
  expect(asked.at(0)).toBe("");
  expect(asked.at(-1)).toBe("bad");
});

function Several({ onChange }: { onChange: (values: readonly ComboboxOption[]) => void }) {
  const [values, setValues] = useState<readonly ComboboxOption[]>([]);
  return (
    <MultiCombobox
      label="Hosts"
      values={values}
      options={FRUIT}
      onCreate={(typed) => (typed.includes(".") ? { value: typed, label: typed } : undefined)}
      onChange={(next) => {
        setValues(next);
        onChange(next);
      }}
    />
  );
}

test("several are chosen, made and removed", async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  render(<Several onChange={onChange} />);
  const field = screen.getByRole("combobox", { name: "Hosts" });
  await user.type(field, "bir");
  await user.click(await screen.findByRole("option", { name: /Birnen/ }));
  await user.type(field, "example.org");
  await user.click(await screen.findByRole("option", { name: "Add “example.org”" }));
  expect(onChange).toHaveBeenLastCalledWith([
    FRUIT[1],
    { value: "example.org", label: "example.org" },
  ]);
  await user.click(screen.getByRole("button", { name: "Remove Birnen" }));
  expect(onChange).toHaveBeenLastCalledWith([{ value: "example.org", label: "example.org" }]);
});

function Amount({ onChange }: { onChange: (value: number | undefined) => void }) {
  const [value, setValue] = useState<number | undefined>(1);
  return (
    <SliderField
      label="Temperature"
      value={value}
      fallback={0.7}
      min={0}
      max={2}
      step={0.1}
      onChange={(next) => {
        setValue(next);
        onChange(next);
      }}
    />
  );
}

test("a number is typed or slid, and may be left to the other side", async () => {
  const user = userEvent.setup();
  const onChange = vi.fn();
  render(<Amount onChange={onChange} />);
  const field = screen.getByRole("textbox", { name: "Temperature" });
  await user.clear(field);
  expect(onChange).toHaveBeenLastCalledWith(undefined);
  await user.type(field, "1.5");
  expect(onChange).toHaveBeenLastCalledWith(1.5);
  await user.tab({ shift: true });
  expect(screen.getByRole("slider", { name: "Temperature" })).toHaveProperty("value", "1.5");
});

test("a switch and cards say what they are and tell what was chosen", async () => {
  const user = userEvent.setup();
  const onSwitch = vi.fn();
  const onCard = vi.fn();
  render(
    <>
      <Switch label="Follow-ups" hint="After each answer" isOn={false} onChange={onSwitch} />
      <RadioCards
        label="Way in"
        value="a"
        options={[
          { value: "a", label: "Empty", note: "From nothing" },
          { value: "b", label: "Template" },
        ]}
        onChange={onCard}
      />
    </>,
  );
  await user.click(screen.getByRole("switch", { name: "Follow-ups" }));
  expect(onSwitch).toHaveBeenCalledExactlyOnceWith(true);
  const card = screen.getByRole("radio", { name: "Template" });
  await user.click(card);
  expect(onCard).toHaveBeenCalledExactlyOnceWith("b");
});
