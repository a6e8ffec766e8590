import { ClipboardPaste } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { NumberField } from "../../../ui/number/number-field";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { setInNode } from "../../commands/nodes";
import { isTrue, items, numberOf, textOf } from "../../document/read";
import type { Path, Value } from "../../document/tree";
import { field } from "../../model/field";
import type { Placed } from "../../model/graph";
import { HTTP } from "../../model/kind";
import { canvasText } from "../../text";
import type { CurlRequest } from "../curl";
import { useEdit } from "../edit";
import { literalInput } from "../input";
import { InputRows, Section } from "../input-rows";
import { NodeTextField } from "../node-text-field";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { ValueEditor } from "../value-editor";

const CurlDialog = lazy(() => import("../curl-dialog"));
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
const BODIES = ["EMPTY", "JSON", "RAW_TEXT", "FORM_DATA", "FORM_URLENCODED", "BINARY"] as const;
const WAYS = ["none", "BEARER_AUTH", "CUSTOM_AUTH"] as const;
const INPUTS: Path = ["data", "inputs"];
const BODY: Path = [...INPUTS, "body"];
const AUTH: Path = [...INPUTS, "auth"];
const TOKEN: Path = [...AUTH, "authData", "bearerTokenData"];
const CUSTOM: Path = [...AUTH, "authData", "customData", "data"];

function HttpForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const said = (path: Path) => textOf(edit.at([...INPUTS, ...path]));
  const method = METHODS.find((each) => each === said(["apiInfo", "method"])) ?? "GET";
  const isDisabled = edit.isReadOnly;
  const [isPasting, setPasting] = useState(false);
  return (
    <>
      <Section
        title={text.http.request}
        path={[...INPUTS, "apiInfo"]}
        aside={
          !isDisabled && (
            <Button
              size="compact"
              kind="quiet"
              icon={<ClipboardPaste size={14} />}
              onClick={() => setPasting(true)}
            >
              {text.http.paste}
            </Button>
          )
        }
      >
        <div className={styles.stack}>
          <Select
            label={text.http.method}
            value={method}
            isDisabled={isDisabled}
            options={METHODS.map((value) => ({ value, label: value }))}
            onChange={(value) => edit.set([...INPUTS, "apiInfo", "method"], value)}
          />
          <NodeTextField
            node={node}
            label={text.http.url}
            path={[...INPUTS, "apiInfo", "url"]}
            value={said(["apiInfo", "url"])}
            rows={2}
            isDisabled={isDisabled}
            onChange={(value) => edit.set([...INPUTS, "apiInfo", "url"], value)}
          />
        </div>
      </Section>
      <InputRows node={node} title={text.http.params} path={[...INPUTS, "params"]} />
      <InputRows node={node} title={text.http.headers} path={[...INPUTS, "headers"]} anyName />
      <Auth node={node} />
      {method !== "GET" && method !== "HEAD" && <Body node={node} />}
      <Section title={text.http.limits} path={[...INPUTS, "setting"]}>
        <div className={styles.row}>
          <NumberField
            label={text.http.timeout}
            unit={text.form.seconds}
            min={0}
            value={numberOf(edit.at([...INPUTS, "setting", "timeout"]))}
            isDisabled={isDisabled}
            onChange={(value) => edit.set([...INPUTS, "setting", "timeout"], value ?? 0)}
          />
          <NumberField
            label={text.http.retries}
            min={0}
            max={10}
            value={numberOf(edit.at([...INPUTS, "setting", "retryTimes"]))}
            isDisabled={isDisabled}
            onChange={(value) => edit.set([...INPUTS, "setting", "retryTimes"], value ?? 0)}
          />
        </div>
      </Section>
      <Suspense>
        {isPasting && (
          <CurlDialog
            onTake={(request) =>
              edit.change(text.steps.edit(node.title), (root) => filledIn(root, node.id, request))
            }
            onClose={() => setPasting(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The node as a command has it; what a command does not say, such as limits, stays. */
function filledIn(root: Value, id: string, request: CurlRequest): Value {
  const string = field("", "string");
  const listed = (pairs: CurlRequest["params"]) =>
    pairs.map(([name, value]) => ({ name, input: literalInput(string, value) }));
  const { body, token } = request;
  const changes: [Path, Parameters<typeof setInNode>[3]][] = [
    [[...INPUTS, "apiInfo", "method"], METHODS.find((each) => each === request.method) ?? "GET"],
    [[...INPUTS, "apiInfo", "url"], request.url],
    [[...INPUTS, "params"], listed(request.params)],
    [[...INPUTS, "headers"], listed(request.headers)],
    [[...AUTH, "authOpen"], token !== ""],
    [[...BODY, "bodyType"], body.kind],
  ];
  if (token) {
    changes.push([[...AUTH, "authType"], "BEARER_AUTH"], [TOKEN, listed([["token", token]])]);
  }
  if (body.kind === "JSON") changes.push([[...BODY, "bodyData", "json"], body.text]);
  if (body.kind === "RAW_TEXT") changes.push([[...BODY, "bodyData", "rawText"], body.text]);
  if (body.kind === "FORM_DATA")
    changes.push([[...BODY, "bodyData", "formData", "data"], listed(body.fields)]);
  if (body.kind === "FORM_URLENCODED")
    changes.push([[...BODY, "bodyData", "formURLEncoded"], listed(body.fields)]);
  return changes.reduce((now, [path, value]) => setInNode(now, id, path, value), root);
}

function Auth({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const isOpen = isTrue(edit.at([...AUTH, "authOpen"]));
  const type = textOf(edit.at([...AUTH, "authType"]));
  const way = isOpen ? (type === "CUSTOM_AUTH" ? "CUSTOM_AUTH" : "BEARER_AUTH") : "none";
  const string = field("", "string");
  const names = way === "CUSTOM_AUTH" ? ["Key", "Value"] : ["token"];
  const path = way === "CUSTOM_AUTH" ? CUSTOM : TOKEN;
  function choose(next: (typeof WAYS)[number]): void {
    edit.set([...AUTH, "authOpen"], next !== "none");
    if (next === "none") return;
    edit.set([...AUTH, "authType"], next);
    const list = next === "CUSTOM_AUTH" ? CUSTOM : TOKEN;
    if (items(edit.at(list)).length > 0) return;
    const wanted = next === "CUSTOM_AUTH" ? ["Key", "Value"] : ["token"];
    edit.set(
      list,
      wanted.map((name) => ({ name, input: literalInput(string, "") })),
    );
  }
  return (
    <Section title={text.http.auth} path={AUTH}>
      <div className={styles.stack}>
        <Select
          label={text.http.auth}
          isLabelHidden
          value={way}
          isDisabled={edit.isReadOnly}
          options={WAYS.map((value) => ({ value, label: text.http.ways[value] }))}
          onChange={choose}
        />
        {way !== "none" &&
          names.map((name, index) => (
            <div className={styles.row} key={name}>
              <span className={styles.fixed}>{text.http.secrets[name] ?? name}</span>
              <ValueEditor
                node={node}
                label={name}
                wanted={string}
                path={[...path, index, "input"]}
              />
            </div>
          ))}
        {way === "CUSTOM_AUTH" && (
          <Switch
            label={text.http.inQuery}
            isOn={textOf(edit.at([...AUTH, "authData", "customData", "addTo"])) === "query"}
            isDisabled={edit.isReadOnly}
            onChange={(isOn) =>
              edit.set([...AUTH, "authData", "customData", "addTo"], isOn ? "query" : "header")
            }
          />
        )}
      </div>
    </Section>
  );
}

function Body({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const type = BODIES.find((each) => each === textOf(edit.at([...BODY, "bodyType"]))) ?? "EMPTY";
  const data = (name: string): Path => [...BODY, "bodyData", name];
  return (
    <>
      <Section title={text.http.body} path={BODY}>
        <div className={styles.stack}>
          <Select
            label={text.http.body}
            isLabelHidden
            value={type}
            isDisabled={edit.isReadOnly}
            options={BODIES.map((value) => ({ value, label: text.http.bodies[value] }))}
            onChange={(value) => edit.set([...BODY, "bodyType"], value)}
          />
          {type === "JSON" && (
            <NodeTextField
              node={node}
              label={text.http.json}
              path={data("json")}
              value={textOf(edit.at(data("json")))}
              rows={8}
              isDisabled={edit.isReadOnly}
              onChange={(value) => edit.set(data("json"), value)}
            />
          )}
          {type === "RAW_TEXT" && (
            <NodeTextField
              node={node}
              label={text.http.raw}
              path={data("rawText")}
              value={textOf(edit.at(data("rawText")))}
              rows={6}
              isDisabled={edit.isReadOnly}
              onChange={(value) => edit.set(data("rawText"), value)}
            />
          )}
          {type === "BINARY" && (
            <ValueEditor
              node={node}
              label={text.http.file}
              wanted={field("", "string", { assistType: 1 })}
              path={[...data("binary"), "fileURL"]}
            />
          )}
        </div>
      </Section>
      {type === "FORM_DATA" && (
        <InputRows
          node={node}
          title={text.http.fields}
          path={[...data("formData"), "data"]}
          anyName
        />
      )}
      {type === "FORM_URLENCODED" && (
        <InputRows node={node} title={text.http.fields} path={data("formURLEncoded")} anyName />
      )}
    </>
  );
}

export const form: NodeForm = {
  types: [HTTP],
  Form: HttpForm,
  inputs: "none",
  outputs: "fixed",
  handlesErrors: true,
};
