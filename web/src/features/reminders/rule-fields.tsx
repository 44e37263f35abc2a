import { Button, Group, NumberInput, Paper, Select, Text } from '@mantine/core'
import { t } from '../../language/t.ts'
import { type Rule, type Stage, sentenceOf, stageOptions } from './stages.ts'

interface RuleFieldsProps {
  /** Counted from 1. */
  position: number
  rule: Rule
  panels: { value: string; label: string }[]
  change(rule: Rule): void
  remove(): void
}

const EVERY = 'every'
const MOST_DAYS = 1100

/** One rule, with what it means in words. */
export function RuleFields({ position, rule, panels, change, remove }: RuleFieldsProps) {
  const { stage, panel, afterDays, everyDays, times } = rule
  const setTimes = (count: number) => {
    const { everyDays: _, ...once } = rule
    change(count > 1 ? { ...rule, times: count, everyDays: everyDays ?? afterDays } : { ...once, times: 1 })
  }
  const setPanel = (value: string | null) => {
    const { panel: _, ...all } = rule
    change(value === null || value === EVERY ? all : { ...all, panel: value })
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Reminder {position}', { position })}>
      <Group align="end">
        <Select
          label={t('When')}
          w={230}
          allowDeselect={false}
          data={stageOptions}
          value={stage}
          onChange={(value) => change({ ...rule, stage: value as Stage })}
        />
        <Select
          label={t('Panel')}
          w={190}
          allowDeselect={false}
          data={[{ value: EVERY, label: t('Every panel') }, ...panels]}
          value={panel ?? EVERY}
          onChange={setPanel}
        />
        <NumberInput
          label={t('After days')}
          required
          w={100}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          value={afterDays}
          onChange={(value) => change({ ...rule, afterDays: Number(value) })}
        />
        <NumberInput
          label={t('Times')}
          required
          w={80}
          min={1}
          max={10}
          allowDecimal={false}
          value={times}
          onChange={(value) => setTimes(Number(value))}
        />
        {times > 1 && (
          <NumberInput
            label={t('Every days')}
            required
            w={100}
            min={1}
            max={365}
            allowDecimal={false}
            value={everyDays ?? ''}
            onChange={(value) => change({ ...rule, everyDays: Number(value) })}
          />
        )}
        <Button variant="default" onClick={remove}>
          {t('Remove')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        {sentenceOf(rule)}
      </Text>
    </Paper>
  )
}
