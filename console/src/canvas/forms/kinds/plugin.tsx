import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client, unwrap } from "../../../api/client";
import type { AuthView, ParameterForm, ToolView } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Combobox } from "../../../ui/combobox/combobox";
import { Select } from "../../../ui/select/select";
import { declared, isBatched } from "../../commands/batch";
import { setInNode } from "../../commands/nodes";
import { at, items, type JsonObject, textOf, toJson } from "../../document/read";
import { type Field, type FieldType, field } from "../../model/field";
import type { Placed } from "../../model/graph";
import { PLUGIN } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { fieldJson, literalInput, unsetInput } from "../input";
import { Section } from "../input-rows";
import { paramsOf } from "../params";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

/** Where each person gives access to an account of their own. */
const OF_PEOPLE = "oauth_authorization_code";
const PARAMS = ["data", "inputs", "apiParam"];
const TYPES: Readonly<Record<string, FieldType>> = {
  string: "string",
  integer: "integer",
  number: "float",
  boolean: "boolean",
  object: "object",
  array: "list",
};

/** Which tool is called; its inputs and outputs are those that the plugin declares. */
function PluginForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const params = paramsOf(edit, PARAMS);
  const { workspaceId = "" } = useParams({ strict: false });
  const [chosen, setChosen] = useState(params.text("pluginID"));
  const plugins = useQuery({
    queryKey: ["admin.plugins.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/plugins", {
          params: { path: { workspace_id: workspaceId }, query: { limit: "100" } },
          signal,
        }),
      ),
  });
  const tools = useQuery({
    queryKey: ["admin.plugin_tools.list", chosen],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/tools", {
          params: { path: { plugin_id: chosen } },
          signal,
        }),
      ),
    enabled: chosen !== "",
  });
  const pluginOptions = (plugins.data?.items ?? []).map((each) => ({
    value: each.id,
    label: each.name,
    note: each.description || undefined,
  }));
  const known = chosen ? (tools.data?.items ?? []) : [];
  const toolOptions = known.map((each) => ({
    value: each.id,
    label: each.name,
    note: each.description || undefined,
  }));
  const toolId = params.text("apiID");
  const version = params.text("pluginVersion");
  const own = (plugins.data?.items ?? []).find((each) => each.id === chosen);
  const newest = own?.published_version ?? "";
  const grant = useQuery({
    queryKey: ["admin.plugins.get_grant", chosen],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/oauth", {
          params: { path: { plugin_id: chosen } },
          signal,
        }),
      ),
    enabled: own?.auth.type === OF_PEOPLE,
  });
  const versions = useQuery({
    queryKey: ["admin.plugins.list_versions", chosen, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/versions", {
          params: { path: { plugin_id: chosen }, query: { limit: "100" } },
          signal,
        }),
      ),
    enabled: chosen !== "",
  });
  const labels = versions.data?.items.map((each) => each.version_name) ?? [];
  function take(tool: ToolView): void {
    const plugin = pluginOptions.find((each) => each.value === chosen);
    const old = new Map(
      items(edit.at(["data", "inputs", "inputParameters"])).map((each) => [
        textOf(at(each, ["name"])),
        toJson(each),
      ]),
    );
    const settings: Readonly<Record<string, string>> = {
      apiID: tool.id,
      apiName: tool.name,
      pluginID: chosen,
      pluginName: plugin?.label ?? "",
      pluginVersion: "",
    };
    const string = field("", "string");
    const list: JsonObject[] = Object.entries(settings).map(([name, value]) => ({
      name,
      input: literalInput(string, value),
    }));
    const inputs = tool.parameters.filter((each) => each.visible).map(fieldFrom);
    edit.change(text.steps.edit(node.title), (root) => {
      const named = setInNode(root, node.id, PARAMS, list);
      const filled = setInNode(
        named,
        node.id,
        ["data", "inputs", "inputParameters"],
        inputs.map((each) => old.get(each.name) ?? { name: each.name, input: unsetInput(each) }),
      );
      const outputs = tool.responses.map((each) => fieldJson(fieldFrom(each)));
      return setInNode(filled, node.id, ["data", "outputs"], declared(outputs, isBatched(node)));
    });
  }
  return (
    <Section title={text.plugin.title} path={PARAMS}>
      <div className={styles.stack}>
        <Combobox
          label={text.plugin.plugin}
          value={
            pluginOptions.find((each) => each.value === chosen) ??
            (chosen ? { value: chosen, label: params.text("pluginName") || chosen } : undefined)
          }
          options={pluginOptions}
          placeholder={text.plugin.choosePlugin}
          isDisabled={edit.isReadOnly}
          onChange={(option) => setChosen(option?.value ?? "")}
        />
        <Combobox
          label={text.plugin.tool}
          value={
            toolOptions.find((each) => each.value === toolId) ??
            (toolId ? { value: toolId, label: params.text("apiName") || toolId } : undefined)
          }
          options={toolOptions}
          placeholder={text.plugin.chooseTool}
          isDisabled={edit.isReadOnly || chosen === ""}
          onChange={(option) => {
            const tool = known.find((each) => each.id === option?.value);
            if (tool) take(tool);
          }}
        />
        {toolId && (
          <Select
            label={text.plugin.version}
            value={version}
            isDisabled={edit.isReadOnly}
            options={[
              { value: "", label: text.plugin.newest },
              ...(version && !labels.includes(version) ? [{ value: version, label: version }] : []),
              ...labels.map((each) => ({ value: each, label: each })),
            ]}
            onChange={(next) => params.set("pluginVersion", "string", next)}
          />
        )}
        {version && newest && version !== newest && (
          <div className={styles.row}>
            <p className={styles.hint}>{text.plugin.newer(newest)}</p>
            {!edit.isReadOnly && (
              <Button
                size="compact"
                kind="quiet"
                onClick={() => params.set("pluginVersion", "string", newest)}
              >
                {text.plugin.take}
              </Button>
            )}
          </div>
        )}
        {own && isUnconnected(own.auth, grant.data?.authorized) && (
          <p className={styles.bad}>
            {text.plugin.notConnected}{" "}
            <a
              href={`/console/w/${workspaceId}/plugins/${own.id}`}
              target="_blank"
              rel="noreferrer"
            >
              {text.plugin.connect}
            </a>
          </p>
        )}
      </div>
    </Section>
  );
}

/** A service that wants a secret which nobody has given yet. */
function isUnconnected(auth: AuthView, isGranted: boolean | undefined): boolean {
  if (auth.type === "none") return false;
  return auth.type === OF_PEOPLE ? isGranted === false : auth.credential === "";
}

function fieldFrom(form: ParameterForm): Field {
  const type = TYPES[form.type ?? "string"] ?? "string";
  const inner = form.sub_parameters.map(fieldFrom);
  return field(form.name, type, {
    description: form.description,
    isRequired: form.required,
    ...(type === "object" ? { fields: inner } : {}),
    ...(type === "list" ? { item: inner[0] ?? field("", "string") } : {}),
  });
}

export const form: NodeForm = {
  types: [PLUGIN],
  Form: PluginForm,
  inputs: "fixed",
  outputs: "fixed",
  handlesErrors: true,
  hasBatch: true,
};
