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

// To the person tested, who may have agreed to text messages.
const texted: ReadonlySet<Stage> = new Set(['post', 'sample', 'retest'])
const EVERY = 'every'
const MOST_DAYS = 1100

/** One rule, with what it means in words. */
export function RuleFields({ position, rule, panels, change, remove }: RuleFieldsProps) {
  const { stage, panel, afterDays, everyDays, times } = rule
  const setTimes = (count: number) => {
    const { everyDays: _, ...once } = rule
    change(count > 1 ? { ...rule, times: count, everyDays: everyDays ?? afterDays } : { ...once, times: 1 })
  }
  // Whom a kit was sent to has not agreed to text messages.
  const setStage = (next: Stage) => change({ ...rule, stage: next, by: texted.has(next) ? rule.by : 'email' })
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
          onChange={(value) => setStage(value as Stage)}
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
        {texted.has(stage) && (
          <Select
            label={t('By')}
            w={150}
            allowDeselect={false}
            data={[
              { value: 'email', label: t('E-mail') },
              { value: 'text', label: t('Text message') },
            ]}
            value={rule.by ?? 'email'}
            onChange={(value) => change({ ...rule, by: value === 'text' ? 'text' : 'email' })}
          />
        )}
        <Button variant="default" onClick={remove}>
          {t('Remove')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        {sentenceOf(rule)}
        {rule.by === 'text' && ` ${t('As a text message to people who agreed to them, else by e-mail.')}`}
      </Text>
    </Paper>
  )
}
