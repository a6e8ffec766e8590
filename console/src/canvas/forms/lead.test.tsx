import { expect, test } from "vitest";
import { fieldAt } from "./lead";

function form(html: string): HTMLElement {
  const made = document.createElement("div");
  made.innerHTML = html;
  return made;
}

const INPUTS = form(`
  <section data-shows="/data/inputs/inputparameters">
    <button>Add</button>
    <div data-shows="/data/inputs/inputparameters/0">
      <input id="name" />
      <div data-shows="/data/inputs/inputparameters/0/input">
        <button id="clear">Clear</button><button id="choose" aria-haspopup="dialog">Choose</button>
      </div>
    </div>
  </section>
  <section data-shows="/data/inputs/code"><p>Loading</p></section>
  <section data-shows="/data/inputs/auth"><input disabled /><select id="way"></select></section>`);

test.each([
  ["the value of an input", ["data", "inputs", "inputParameters", 0, "input", "value"], "choose"],
  ["the name of an input", ["data", "inputs", "inputParameters", 0, "name"], "name"],
  ["an input that has no part yet", ["data", "inputs", "inputParameters", 7], "name"],
  ["the first of what is inside", ["data", "inputs"], "name"],
  ["what can be changed", ["data", "inputs", "auth", "authData"], "way"],
])("%s is where a finding leads", (_, place, id) => {
  expect(fieldAt(INPUTS, place)?.id).toBe(id);
});

test("a part that is loaded yet, and a place that nothing shows, have no field", () => {
  expect(fieldAt(INPUTS, ["data", "inputs", "code"])).toBeUndefined();
  expect(fieldAt(INPUTS, ["data", "outputs", 0])).toBeUndefined();
});
