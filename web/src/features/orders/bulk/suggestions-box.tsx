import { Button, Group, Stack, Text } from '@mantine/core'
import { Sheet } from '../../../components/sheet.tsx'
import { t } from '../../../language/t.ts'
import { fields } from './fields.ts'
import type { Row } from './rows.ts'
import { type Suggestion, suggestionsFor, withSuggestions } from './suggestions.ts'

// The rest is applied by "Apply all", which shows the total.
const SHOWN = 6

const rowsText = (count: number) => t('{count, plural, one {# row} other {# rows}}', { count })
const labelOf = ({ field }: Suggestion) => fields.find(({ name }) => name === field)?.label ?? field

/** Values that must be written differently on labels; one click corrects all rows with a value. */
export function SuggestionsBox({ rows, onChange }: { rows: Row[]; onChange: (rows: Row[]) => void }) {
  const suggestions = suggestionsFor(rows)
  if (suggestions.length === 0) return null
  const apply = (chosen: readonly Suggestion[]) => onChange(withSuggestions(rows, chosen))
  return (
    <Sheet aria-label={t('Suggested corrections')}>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{t('Suggested corrections')}</Text>
        {suggestions.length > 1 && (
          <Button size="xs" onClick={() => apply(suggestions)}>
            {t('Apply all {count, number}', { count: suggestions.length })}
          </Button>
        )}
      </Group>
      <Stack gap={4}>
        {suggestions.slice(0, SHOWN).map((suggestion) => (
          <Group key={[suggestion.field, suggestion.from, suggestion.to].join('|')} justify="space-between">
            <Text>
              {labelOf(suggestion)}: {suggestion.from} → {suggestion.to}{' '}
              <Text component="span" c="dimmed">
                {t('in {rows}', { rows: rowsText(suggestion.rows) })}
              </Text>
            </Text>
            <Button size="compact-xs" variant="default" onClick={() => apply([suggestion])}>
              {t('Apply to {rows}', { rows: rowsText(suggestion.rows) })}
            </Button>
          </Group>
        ))}
        {suggestions.length > SHOWN && (
          <Text c="dimmed">{t('and {count, number} more', { count: suggestions.length - SHOWN })}</Text>
        )}
      </Stack>
    </Sheet>
  )
}
