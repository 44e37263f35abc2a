import { Button, Checkbox, Group, Paper, Stack, TagsInput, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Problem } from '../../api/problem.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { type Draft, emptyDraft, priceRequestOf, requestOf } from './draft.ts'
import { OrderCost, useQuote } from './order-cost.tsx'
import { PanelPicker } from './panel-picker.tsx'
import { PaymentChoice } from './payment-choice.tsx'
import { RecipientFields, recipientFieldNames } from './recipient-fields.tsx'
import { recipientProblems } from './recipient-problems.ts'
import { SettlingNote } from './settling-note.tsx'

export function NewOrderPage() {
  const [draft, setDraft] = useState(emptyDraft)
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const [isSent, setSent] = useState(false)
  const quote = useQuote(priceRequestOf(draft))
  const place = useWrite('post', '/api/v1/create-order')
  const { isSettling, untilSettled } = useSettled()
  const navigate = useNavigate()
  const path = useRealmPath()
  // A double click, or a retry after a lost answer, is one order.
  const send = () => place.mutateAsync({ body: requestOf(draft), headers: { 'Idempotency-Key': keyOf(draft) } })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (recipientProblems(draft).size > 0) return
    const answer = await untilSettled(send).catch(() => undefined)
    // The page shows the error of the request.
    if (answer === undefined) return
    const orderID = 'orderId' in answer ? answer.orderId : undefined
    notifications.show({
      message: 'pending' in answer ? t('The order is waiting for payment') : t('The order was placed'),
    })
    void navigate({ to: orderID ? path('orders', orderID) : path('orders') })
  }
  const kits = Object.values(draft.items).reduce((sum, quantity) => sum + quantity, 0)
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <PageHeader title={t('New order')} crumbs={[['orders', t('Orders')]]} />
      <TwoColumns
        left={
          <>
            <Section title={t('Panels')}>
              <PanelPicker items={draft.items} onChange={(items) => change({ items })} />
            </Section>
            <Section title={t('Recipient')}>
              <RecipientFields draft={draft} onChange={change} problems={problemsOf(place.error)} isSent={isSent} />
              <Checkbox
                checked={draft.notify}
                onChange={(event) => change({ notify: event.currentTarget.checked })}
                label={t('Send the recipient status e-mails')}
                description={t('Each step from the order to the report, in words about the box only')}
              />
            </Section>
            <Section title={t('For your records')}>
              <TextInput
                label={t('Your ID')}
                description={t('Shown with the order, and found by searching')}
                value={draft.externalID}
                onChange={(event) => change({ externalID: event.currentTarget.value })}
                maxLength={255}
              />
              <TagsInput label={t('Tags')} value={draft.tags} onChange={(tags) => change({ tags })} maxTags={50} />
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
            <OrderCost quote={quote} payment={draft.payment} />
            {isSettling && <SettlingNote />}
            {place.error && !isSettling && <ErrorAlert error={place.error} atFields={recipientFieldNames} />}
            <Group>
              <Button type="submit" fullWidth loading={place.isPending || isSettling} disabled={kits === 0}>
                {kits === 0
                  ? t('Place order')
                  : t('Order {count, plural, one {# kit} other {# kits}}', { count: kits })}
              </Button>
            </Group>
          </>
        }
      />
    </form>
  )
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  )
}

/** `recipient.address.zip: Too long` belongs to the field zip. */
function problemsOf(problem: Problem | null): Map<string, string> {
  return new Map(problem?.details.map(({ path, message }) => [path?.split('.').at(-1) ?? '', message]))
}

const keys = new WeakMap<Draft, string>()

function keyOf(draft: Draft): string {
  const key = keys.get(draft) ?? crypto.randomUUID()
  keys.set(draft, key)
  return key
}
