import { Anchor, Group } from '@mantine/core'
import { chooseLanguage, dashboardLanguages, readLanguage } from '../language/choice.ts'

/** The other languages, each by its own name: for pages before signing in, which have no account menu. */
export function LanguageLinks() {
  const current = readLanguage()
  return (
    <Group gap="sm" justify="center" mt="md">
      {dashboardLanguages
        .filter(({ value }) => value !== current)
        .map(({ value, label }) => (
          <Anchor
            key={value}
            component="button"
            type="button"
            size="sm"
            underline="always"
            lang={value}
            onClick={() => chooseLanguage(value)}
          >
            {label}
          </Anchor>
        ))}
    </Group>
  )
}
