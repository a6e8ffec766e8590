import type { Text } from "./text.en";

export const text = {
  title: "也在这里的人",
  here: (names: string) => `也在这里：${names}`,
  more: (count: number) => `+${count}`,
  somebody: "工作空间以外的人",
  why: "多人的修改会自动合并；改到同一处时会询问你。",
} satisfies Text;
