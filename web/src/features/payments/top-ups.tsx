import type { Answer } from '@kitlane/client'
import { Button, Group, NumberInput, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { fractionDigits, moneyOf } from '../../components/money.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import css from './top-ups.module.css'

type TopUps = Answer<'get', '/api/v1/credits/top-up'>
type TopUp = TopUps['topUps'][number]
type Draft = Pick<TopUp, 'type' | 'on' | 'below' | 'amount'>

/** Credits that are bought by themselves when few are left. */
export function TopUpSection() {
  const topUps = useRead('/api/v1/credits/top-up')
  return (
    <Section title={t('Automatic top-up')}>
      <Text c="dimmed">
        {t('When fewer credits of a panel are left than you say, more are bought with the card for orders.')}
      </Text>
      {topUps.error && <ErrorAlert error={topUps.error} retry={() => void topUps.refetch()} />}
      {topUps.isPending && <Skeleton height={160} />}
      {topUps.data && <TopUpForm key={keyOf(topUps.data)} topUps={topUps.data} />}
    </Section>
  )
}

// Rebuilt from what was saved, not of what a purchase changes meanwhile.
const keyOf = ({ monthlyCeiling, topUps }: TopUps) =>
  JSON.stringify([monthlyCeiling, topUps.map(({ on, below, amount }) => [on, below, amount])])

function TopUpForm({ topUps: { monthlyCeiling, spentThisMonth, topUps } }: { topUps: TopUps }) {
  const { write } = usePermissions()
  const currency = topUps.find(({ on }) => on)?.currency ?? topUps[0]?.currency ?? 'USD'
  const unit = 10 ** fractionDigits(currency)
  const [ceiling, setCeiling] = useState<number | ''>(monthlyCeiling === undefined ? '' : monthlyCeiling / unit)
  const [drafts, setDrafts] = useState<Draft[]>(topUps)
  const save = useWrite('patch', '/api/v1/credits/top-up')
  const change = (type: string, part: Partial<Draft>) =>
    setDrafts((former) => former.map((draft) => (draft.type === type ? { ...draft, ...part } : draft)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const changed = drafts.flatMap(({ type, on, below, amount }) => {
      const saved = topUps.find((one) => one.type === type)
      const isSame = saved?.on === on && saved.below === below && saved.amount === amount
      return isSame || below === undefined || amount === undefined ? [] : [{ type, on, below, amount }]
    })
    save.mutate(
      { body: { monthlyCeiling: ceiling === '' ? null : Math.round(ceiling * unit), topUps: changed } },
      { onSuccess: () => notifications.show({ message: t('Saved') }) },
    )
  }
  return (
    <form onSubmit={submit}>
      <fieldset disabled={!write} className={css.plain}>
        <Stack gap="md">
          <NumberInput
            label={t('At most in a month, in {currency}', { currency })}
            description={t('{spent} spent this month by top-ups', { spent: moneyOf(spentThisMonth, currency) })}
            w={280}
            maw="100%"
            min={0}
            decimalScale={fractionDigits(currency)}
            thousandSeparator=","
            value={ceiling}
            onChange={(value) => setCeiling(typeof value === 'number' ? value : '')}
          />
          {drafts.map((draft, index) => (
            <Line key={draft.type} draft={draft} saved={topUps[index]} change={(part) => change(draft.type, part)} />
          ))}
          {save.error && <ErrorAlert error={save.error} />}
          {write && (
            <Group>
              <Button type="submit" variant="default" loading={save.isPending}>
                {t('Save')}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}

interface LineProps {
  draft: Draft
  saved: TopUp | undefined
  change: (part: Partial<Draft>) => void
}

const FIRST = { below: 10, amount: 50 }

function Line({ draft: { type, on, below, amount }, saved, change }: LineProps) {
  const { nameOf } = usePanels()
  const name = nameOf(type)
  const count = (value: string | number) => (typeof value === 'number' ? value : undefined)
  return (
    <div className={css.line}>
      <Switch
        label={name}
        checked={on}
        onChange={(event) =>
          change({ on: event.currentTarget.checked, below: below ?? FIRST.below, amount: amount ?? FIRST.amount })
        }
      />
      {on && (
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('When fewer are left than')}
            aria-label={t('{name}: when fewer are left than', { name })}
            w={170}
            min={1}
            max={100_000}
            allowDecimal={false}
            required
            value={below ?? ''}
            onChange={(value) => change({ below: count(value) })}
          />
          <NumberInput
            label={t('Buy')}
            aria-label={t('{name}: buy', { name })}
            description={saved && amount !== undefined ? moneyOf(saved.price * amount, saved.currency) : undefined}
            inputWrapperOrder={['label', 'input', 'description']}
            w={130}
            min={1}
            max={100_000}
            allowDecimal={false}
            required
            value={amount ?? ''}
            onChange={(value) => change({ amount: count(value) })}
          />
        </Group>
      )}
      {saved && <State saved={saved} />}
    </div>
  )
}

function State({ saved: { on, offReason, settling, retryDate } }: { saved: TopUp }) {
  if (settling) return <StatusDot tone="fair">{t('A purchase is under way')}</StatusDot>
  if (!on && offReason) {
    return (
      <StatusDot tone="bad">
        {t('Switched off after three tries ({offReason}). Check the card, then switch it on.', { offReason })}
      </StatusDot>
    )
  }
  if (on && retryDate)
    return <StatusDot tone="fair">{t('Waits: the card was declined, or the ceiling is reached')}</StatusDot>
  return null
}
