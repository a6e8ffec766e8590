import { Contrast, Languages } from "lucide-react";
import { useLanguage, useText } from "../text/catalogue";
import { THEMES } from "../text/preference";
import { Button } from "../ui/button/button";
import { Menu, MenuChoice } from "../ui/menu/menu";
import { setLanguage, setTheme, useAppearance } from "./appearance";
import { sessionText } from "./text";

/** Language and theme for pages that have no user menu yet. */
export function AppearanceBar() {
  const text = useText(sessionText).appearance;
  const language = useLanguage();
  const { theme } = useAppearance();
  return (
    <>
      <Menu
        side="top"
        trigger={
          <Button kind="quiet" size="compact" icon={<Languages size={14} />}>
            {language === "zh" ? text.chinese : text.english}
          </Button>
        }
      >
        <MenuChoice
          label={text.language}
          value={language}
          options={[
            { value: "en", label: text.english },
            { value: "zh", label: text.chinese },
          ]}
          onChange={(value) => void setLanguage(value)}
        />
      </Menu>
      <Menu
        side="top"
        trigger={
          <Button kind="quiet" size="compact" icon={<Contrast size={14} />}>
            {text.themes[theme]}
          </Button>
        }
      >
        <MenuChoice
          label={text.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, label: text.themes[value] }))}
          onChange={setTheme}
        />
      </Menu>
    </>
  );
}
