import { Button, Checkbox, NumberInput, Paper, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { type Draft, emptyDraft, priceRequestOf, requestOf } from '../orders/draft.ts'
import { OrderCost, useQuote } from '../orders/order-cost.tsx'
import { PanelPicker } from '../orders/panel-picker.tsx'
import { PaymentChoice } from '../orders/payment-choice.tsx'
import { RecipientFields, recipientFieldNames } from '../orders/recipient-fields.tsx'
import { recipientProblems } from '../orders/recipient-problems.ts'
import { CadenceFields, everyOf } from './cadence-fields.tsx'
import { everyText } from './labels.ts'

const DAY_MS = 86_400_000
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)

export function NewPlanPage() {
  const [draft, setDraft] = useState(emptyDraft)
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const [cadence, setCadence] = useState({ count: 3, unit: 'months' as 'weeks' | 'months', date: tomorrow() })
  const [isSent, setSent] = useState(false)
  const [times, setTimes] = useState<number>()
  const create = useWrite('post', '/api/v1/plans')
  const navigate = useNavigate()
  const path = useRealmPath()
  // A double click, or a retry after a lost answer, is one plan.
  const key = useRef(crypto.randomUUID())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (recipientProblems(draft).size > 0) return
    const body = { ...requestOf(draft), every: everyOf(cadence), firstDate: cadence.date, ...(times && { times }) }
    const made = await create
      .mutateAsync({ body, headers: { 'Idempotency-Key': key.current } })
      // The page shows the error of the request; a corrected one is another request.
      .catch(() => undefined)
    key.current = crypto.randomUUID()
    if (!made || !('planID' in made)) return
    notifications.show({ message: t('The plan was created') })
    void navigate({ to: path('plans', made.planID) })
  }
  const kits = Object.values(draft.items).reduce((sum, quantity) => sum + quantity, 0)
  const problems = new Map(create.error?.details.map(({ path, message }) => [path?.split('.').at(-1) ?? '', message]))
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <PageHeader title={t('New recurring plan')} crumbs={[['plans', t('Recurring plans')]]} />
      <TwoColumns
        left={
          <>
            <Section title={t('How often')}>
              <CadenceFields
                value={cadence}
                onChange={setCadence}
                label={t('First order')}
                problem={problems.get('firstDate')}
              />
              <NumberInput
                label={t('How many orders')}
                maw={358}
                description={t('Leave it empty to go on until you end the plan')}
                min={1}
                max={1000}
                allowDecimal={false}
                value={times ?? ''}
                onChange={(value) => setTimes(Number(value) || undefined)}
              />
            </Section>
            <Section title={t('Panels')}>
              <PanelPicker items={draft.items} onChange={(items) => change({ items })} />
            </Section>
            <Section title={t('Recipient')}>
              <RecipientFields draft={draft} onChange={change} problems={problems} isSent={isSent} />
              <Checkbox
                checked={draft.notify}
                onChange={(event) => change({ notify: event.currentTarget.checked })}
                label={t('Send the recipient status e-mails')}
                description={t('Each step from the order to the report, in words about the box only')}
              />
              <TextInput
                label={t('Your ID')}
                description={t('Of the plan, and of each of its orders')}
                value={draft.externalID}
                onChange={(event) => change({ externalID: event.currentTarget.value })}
                maxLength={255}
              />
            </Section>
          </>
        }
        right={
          <>
            <Paper withBorder p="md">
              <PaymentChoice
                value={draft.payment}
                onChange={(payment) => change({ payment })}
                ways={['default', 'credits', 'card', 'later']}
              />
            </Paper>
            <OrderCost quote={useQuote(priceRequestOf(draft))} payment={draft.payment} />
            <Text c="dimmed">
              {t('{every}, from {day} on. Each order is priced and paid on its own day.', {
                every: everyText(everyOf(cadence)),
                day: cadence.date ? dayOf(cadence.date) : t('the first date'),
              })}
            </Text>
            {create.error && <ErrorAlert error={create.error} atFields={recipientFieldNames} />}
            <Button type="submit" fullWidth loading={create.isPending} disabled={kits === 0}>
              {t('Create plan')}
            </Button>
          </>
        }
      />
    </form>
  )
}
