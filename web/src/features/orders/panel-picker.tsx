import { Group, NumberInput, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'

interface PanelPickerProps {
  items: Record<string, number>
  onChange: (items: Record<string, number>) => void
}

const MOST = 1000

/** The panels of this business: the quantity of each, its price and the credits left. */
export function PanelPicker({ items, onChange }: PanelPickerProps) {
  const panels = useRead('/api/v1/panels')
  const credits = useRead('/api/v1/credits')
  const available = new Map(credits.data?.map(({ type, credits }) => [type, credits ?? 0]))
  if (panels.error && !panels.data) return <ErrorAlert error={panels.error} retry={() => void panels.refetch()} />
  if (!panels.data) return <Skeleton height={160} />
  if (panels.data.length === 0) {
    return <Text c="dimmed">{t('No panel is enabled for this business yet. Ask the operator to enable one.')}</Text>
  }
  return (
    <Stack gap="xs">
      {panels.data.map(({ kitType, name, biomarkers, price }) => (
        <Paper key={kitType} withBorder px="md" py="xs">
          <Group justify="space-between" wrap="nowrap">
            <div>
              <Text fw={500}>{name}</Text>
              <Text size="sm" c="dimmed">
                {t(
                  '{count, plural, one {# biomarker} other {# biomarkers}} · {money} or 1 credit · {left, plural, one {# credit} other {# credits}} left',
                  {
                    count: biomarkers.length,
                    money: moneyOf(price.amount, price.currency),
                    left: available.get(kitType) ?? 0,
                  },
                )}
              </Text>
            </div>
            <NumberInput
              aria-label={t('How many of {name}', { name })}
              w={92}
              min={0}
              max={MOST}
              allowDecimal={false}
              clampBehavior="strict"
              value={items[kitType] ?? 0}
              onChange={(value) => onChange({ ...items, [kitType]: Number(value) || 0 })}
            />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
