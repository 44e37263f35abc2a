import { NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { LegalHold, Retention } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { termText } from './term-text.ts'

/** Legal holds, how long records are kept, and what the last runs found. */
export function RetentionPage() {
  const retention = useRead('/operator/v1/retention')
  const holds = useRead('/operator/v1/legal-holds', { params: { query: { size: 250 } } })
  const { data, error } = retention
  const shared = { error, retry: () => void retention.refetch() }
  const terms = data && [{ business: { id: '', name: 'All businesses' }, ...data.defaults }, ...data.businesses]
  return (
    <>
      <PageHeader
        title="Retention"
        sentence="How long records are kept, what must not be deleted meanwhile, and what was purged."
        actions={<SetHold />}
      />
      <Stack gap="lg">
        <Section title="Legal holds">
          <DataTable
            label="Legal holds"
            rows={holds.data?.data}
            error={holds.error}
            retry={() => void holds.refetch()}
            rowKey={({ id }) => id}
            columns={holdColumns}
            empty={{ title: 'No legal holds', text: 'Erasures and terms count for everybody.' }}
          />
        </Section>
        <Section title="Terms">
          <DataTable
            label="Terms"
            rows={terms}
            {...shared}
            rowKey={({ business }) => business.id}
            columns={termColumns}
            empty={{ title: 'No terms', text: '' }}
          />
          {data && <ChangeDefaults key={JSON.stringify(data.defaults)} terms={data.defaults} />}
        </Section>
        <Section title="Kept of erased people">
          <DataTable
            label="Kept of erased people"
            rows={data?.kept}
            {...shared}
            rowKey={({ kind }) => kind}
            columns={keptColumns}
            empty={{ title: 'Nothing', text: 'Nothing is kept of anybody who was erased.' }}
          />
        </Section>
        <Section title="Last runs">
          <DataTable
            label="Last runs"
            rows={data?.runs}
            {...shared}
            rowKey={({ id }) => id}
            columns={runColumns}
            empty={{ title: 'No run yet', text: 'A run ends what has reached its term, daily at 04:23 UTC.' }}
          />
        </Section>
      </Stack>
    </>
  )
}

type Terms = Retention['defaults']
type Run = Retention['runs'][number]

const words = { laboratory: 'Laboratory records', requisition: 'Requisitions', correspondence: 'Correspondence' }
const wordOf = (kind: string) => words[kind as keyof typeof words] ?? 'Other'

const holdColumns: Column<LegalHold>[] = [
  { header: 'Business', cell: ({ business }) => business.name },
  { header: 'Customer', cell: ({ customerID }) => customerID ?? 'All' },
  { header: 'Reason', cell: ({ reason }) => reason },
  { header: 'Since', cell: ({ setDate }) => <RelativeDate value={setDate} /> },
  { header: 'By', cell: ({ setBy }) => setBy, isMinor: true },
  { header: 'Lift', cell: ({ id }) => <LiftHold id={id} /> },
]

const termColumns: Column<Terms & { business: { id: string; name: string } }>[] = [
  { header: 'Business', cell: ({ business }) => business.name },
  { header: 'Laboratory records', cell: ({ laboratoryDays }) => termText(laboratoryDays) },
  { header: 'Requisitions', cell: ({ requisitionDays }) => termText(requisitionDays) },
  { header: 'Correspondence', cell: ({ correspondenceDays }) => termText(correspondenceDays), isMinor: true },
  { header: 'Ends for', cell: ({ byAge }) => (byAge ? 'Everybody' : 'Erased people') },
]

const keptColumns: Column<Retention['kept'][number]>[] = [
  { header: 'Kind', cell: ({ kind }) => wordOf(kind) },
  { header: 'Records', cell: ({ records }) => records },
  { header: 'People', cell: ({ people }) => people },
]

const runColumns: Column<Run>[] = [
  { header: 'When', cell: ({ startedDate }) => <RelativeDate value={startedDate} /> },
  { header: 'State', cell: ({ finishedDate }) => (finishedDate ? 'Finished' : 'Not finished') },
  { header: 'Found', cell: ({ counts }) => <Found counts={counts} /> },
]

function Found({ counts }: Pick<Run, 'counts'>) {
  const due = counts.filter((one) => one.due > 0)
  if (due.length === 0) return <>Nothing was due</>
  return due.map(({ kind, of, due, purged, held, awaitingReport }) => (
    <Text key={`${of} ${kind}`} size="sm">
      {wordOf(kind)} of {of === 'erased' ? 'erased people' : 'others'}: {due} due, {purged} purged
      {held > 0 && `, ${held} under legal hold`}
      {awaitingReport > 0 && `, ${awaitingReport} with a report that is still kept`}
    </Text>
  ))
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      label="Reason"
      description="10 to 500 characters, no names. The business reads it in its audit."
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      minLength={10}
      maxLength={500}
      required
    />
  )
}

function SetHold() {
  const [business, setBusiness] = useState('')
  const [customer, setCustomer] = useState('')
  const [reason, setReason] = useState('')
  const set = useWrite('post', '/operator/v1/legal-holds')
  return (
    <ConfirmButton
      label="Set a legal hold"
      sentence="Until it is lifted, nothing of theirs is purged. An erasure meanwhile restricts the person and keeps their records."
      action={() =>
        set.mutateAsync({
          body: { businessID: business.trim(), reason, ...(customer.trim() && { customerID: customer.trim() }) },
        })
      }
      done="The legal hold stands"
    >
      <TextInput
        label="Business"
        description="Its ID or its name"
        value={business}
        onChange={(event) => setBusiness(event.currentTarget.value)}
        required
      />
      <TextInput
        label="Customer"
        description="The number of the customer; empty: the whole business"
        value={customer}
        onChange={(event) => setCustomer(event.currentTarget.value)}
      />
      <Reason value={reason} onChange={setReason} />
    </ConfirmButton>
  )
}

function LiftHold({ id }: { id: string }) {
  const [reason, setReason] = useState('')
  const lift = useWrite('post', '/operator/v1/legal-holds/{holdID}/lift')
  return (
    <ConfirmButton
      label="Lift"
      size="xs"
      isDangerous
      sentence="What has reached its term meanwhile is deleted at the next run. That cannot be undone."
      action={() => lift.mutateAsync({ params: { path: { holdID: id } }, body: { reason } })}
      done="The legal hold was lifted"
    >
      <Reason value={reason} onChange={setReason} />
    </ConfirmButton>
  )
}

function ChangeDefaults({ terms }: { terms: Terms }) {
  const [draft, setDraft] = useState(terms)
  const change = useWrite('patch', '/operator/v1/retention')
  const field = (name: 'laboratoryDays' | 'requisitionDays' | 'correspondenceDays', label: string) => (
    <NumberInput
      label={label}
      suffix=" days"
      min={0}
      max={36_500}
      allowDecimal={false}
      value={draft[name]}
      onChange={(value) => setDraft({ ...draft, [name]: Number(value) })}
    />
  )
  return (
    <ConfirmButton
      label="Change the terms of all businesses"
      isDangerous
      sentence="Counts for what was recorded before, too: a shorter term deletes records at the next run. Terms of one business are changed on the command line."
      action={() => change.mutateAsync({ body: draft })}
      done="The terms were changed"
    >
      {field('laboratoryDays', 'Laboratory records')}
      {field('requisitionDays', 'Requisitions')}
      {field('correspondenceDays', 'Correspondence')}
      <Switch
        label="Also end records of people who were not erased"
        checked={draft.byAge}
        onChange={(event) => setDraft({ ...draft, byAge: event.currentTarget.checked })}
      />
    </ConfirmButton>
  )
}
