import { Link } from "@tanstack/react-router";
import { Database } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatNames, formatNumber } from "../../text/formats";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import type { DatabaseRow } from "./queries";
import { databasesText } from "./text";

export function useColumns(nameOf: (userId: string) => string): readonly Column<DatabaseRow>[] {
  const text = useText(databasesText);
  return useMemo(() => {
    const rows: Readonly<Record<number, string>> = {
      1: text.rows.own,
      2: text.rows.readOnly,
      3: text.rows.shared,
    };
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (database) => (
          <NameCell
            tile={<Tile name={database.table_name} icon={<Database size={14} />} />}
            name={
              <Link
                to="/w/$workspaceId/databases/$databaseId"
                params={{ workspaceId: database.workspace_id, databaseId: database.id }}
              >
                {database.table_name}
              </Link>
            }
            note={database.table_desc}
          />
        ),
      },
      {
        key: "fields",
        label: text.columns.fields,
        width: "minmax(120px, 0.8fr)",
        leaveOut: "medium",
        render: (database) => {
          const own = database.fields.filter((field) => !field.is_system);
          return formatNames(own.map((field) => field.name));
        },
      },
      {
        key: "rows",
        label: text.columns.rows,
        width: "minmax(112px, 168px)",
        leaveOut: "narrow",
        render: (database) => rows[database.rw_mode],
      },
      {
        key: "creator",
        label: text.columns.creator,
        width: "136px",
        leaveOut: "medium",
        render: (database) => nameOf(database.creator_id),
      },
      {
        key: "agents",
        label: text.columns.agents,
        width: "64px",
        isNumber: true,
        leaveOut: "medium",
        render: (database) => formatNumber(database.agent_ids.length),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (database) => <Ago at={database.updated_at} />,
      },
    ];
  }, [text, nameOf]);
}
