import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { PlanDetail } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { planHeadline } from '../../components/headlines.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { type Draft, emptyDraft, requestOf } from '../orders/draft.ts'
import { PanelPicker } from '../orders/panel-picker.tsx'
import { RecipientFields, recipientFieldNames } from '../orders/recipient-fields.tsx'
import { type Cadence, CadenceFields, everyOf } from './cadence-fields.tsx'
import { everyText } from './labels.ts'

export function ChangePlanPage() {
  const { planID = '' } = useParams({ strict: false })
  const plan = useRead('/api/v1/plans/{planID}', { params: { path: { planID } } })
  if (plan.error && !plan.data) return <ErrorAlert error={plan.error} retry={() => void plan.refetch()} />
  if (!plan.data) return <Skeleton height={320} />
  return <ChangePlan key={planID} plan={plan.data} />
}

function ChangePlan({ plan }: { plan: PlanDetail }) {
  const before = draftOf(plan)
  const [draft, setDraft] = useState(before)
  const [cadence, setCadence] = useState(cadenceOf(plan))
  const save = useWrite('patch', '/api/v1/plans/{planID}')
  const navigate = useNavigate()
  const path = useRealmPath()
  const back = path('plans', plan.planID)
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const problems = new Map(save.error?.details.map(({ path, message }) => [path?.split('.').at(-1) ?? '', message]))
  const { recipient, kit_types } = requestOf(draft)
  // Only what was changed: the rest may have changed elsewhere meanwhile.
  const body = {
    ...(isOther(recipient, requestOf(before).recipient) && { recipient }),
    ...(isOther(kit_types, requestOf(before).kit_types) && { kit_types }),
    ...(isOther(everyOf(cadence), everyOf(cadenceOf(plan))) && { every: everyOf(cadence) }),
    ...(cadence.date !== plan.nextDate && { nextDate: cadence.date }),
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await save.mutateAsync({ params: { path: { planID: plan.planID } }, body }).catch(() => undefined)
    // The page shows the error of the request.
    if (!saved) return
    notifications.show({ message: t('The plan was changed') })
    void navigate({ to: back })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <PageHeader
        title={planHeadline(plan, everyText(plan.every))}
        crumbs={[['plans', t('Recurring plans')]]}
        sentence={t('What you change counts from the next order on. Orders that were placed stay as they are.')}
      />
      <Stack gap="lg">
        <Section title={t('Next order')}>
          <CadenceFields
            value={cadence}
            onChange={setCadence}
            label={t('Next order')}
            problem={problems.get('nextDate')}
          />
        </Section>
        <Section title={t('Panels')}>
          <PanelPicker items={draft.items} onChange={(items) => change({ items })} />
        </Section>
        <Section title={t('Recipient')}>
          <RecipientFields draft={draft} onChange={change} problems={problems} />
        </Section>
        {save.error && <ErrorAlert error={save.error} atFields={recipientFieldNames} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
            {t('Save changes')}
          </Button>
          <PageLink to={back}>{t('Go back')}</PageLink>
        </Group>
      </Stack>
    </form>
  )
}

const isOther = (left: unknown, right: unknown) => JSON.stringify(left) !== JSON.stringify(right)

const cadenceOf = ({ every, nextDate = '' }: PlanDetail): Cadence =>
  'weeks' in every
    ? { count: every.weeks, unit: 'weeks', date: nextDate }
    : { count: every.months, unit: 'months', date: nextDate }

function draftOf({
  recipientFirstName,
  recipientLastName,
  recipientEmail,
  recipientPhone,
  ...plan
}: PlanDetail): Draft {
  const { street2, ...address } = plan.recipientAddress ?? emptyDraft
  return {
    ...emptyDraft,
    first_name: recipientFirstName ?? '',
    last_name: recipientLastName ?? '',
    email: recipientEmail ?? '',
    phone: recipientPhone ?? '',
    street1: address.street1,
    street2: street2 ?? '',
    city: address.city,
    state: address.state,
    zip: address.zip,
    country: address.country,
    items: Object.fromEntries(plan.items.map(({ kitType, quantity }) => [kitType, quantity])),
  }
}
