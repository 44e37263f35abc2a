import { NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { LegalHold, Retention } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { OfOperator } from '../audit/names.tsx'
import { termText } from './term-text.ts'

/** Legal holds, how long records are kept, and what the last runs found. */
export function RetentionPage() {
  const retention = useRead('/operator/v1/retention')
  const holds = useRead('/operator/v1/legal-holds', { params: { query: { size: 250 } } })
  const { data, error } = retention
  const shared = { error, retry: () => void retention.refetch() }
  const terms = data && [{ business: { id: '', name: t('All businesses') }, ...data.defaults }, ...data.businesses]
  return (
    <>
      <PageHeader
        title={t('Retention')}
        sentence={t('How long records are kept, what must not be deleted meanwhile, and what was purged.')}
        actions={<SetHold />}
      />
      <Stack gap="lg">
        <Section title={t('Legal holds')}>
          <DataTable
            label={t('Legal holds')}
            rows={holds.data?.data}
            error={holds.error}
            retry={() => void holds.refetch()}
            rowKey={({ id }) => id}
            columns={holdColumns}
            empty={{ title: t('No legal holds'), text: t('Erasures and terms count for everybody.') }}
          />
        </Section>
        <Section title={t('Terms')}>
          <DataTable
            label={t('Terms')}
            rows={terms}
            {...shared}
            rowKey={({ business }) => business.id}
            columns={termColumns}
            empty={{ title: t('No terms'), text: '' }}
          />
          {data && <ChangeDefaults key={JSON.stringify(data.defaults)} terms={data.defaults} />}
        </Section>
        <Section title={t('Kept of erased people')}>
          <DataTable
            label={t('Kept of erased people')}
            rows={data?.kept}
            {...shared}
            rowKey={({ kind }) => kind}
            columns={retainedColumns}
            empty={{ title: t('Nothing'), text: t('Nothing is kept of anybody who was erased.') }}
          />
        </Section>
        <Section title={t('Last runs')}>
          <DataTable
            label={t('Last runs')}
            rows={data?.runs}
            {...shared}
            rowKey={({ id }) => id}
            columns={runColumns}
            empty={{ title: t('No run yet'), text: t('A run ends what has reached its term, daily at 04:23 UTC.') }}
          />
        </Section>
      </Stack>
    </>
  )
}

type Terms = Retention['defaults']
type Run = Retention['runs'][number]

const words = {
  laboratory: t('Laboratory records'),
  requisition: t('Requisitions'),
  correspondence: t('Correspondence'),
}
const wordOf = (kind: string) => words[kind as keyof typeof words] ?? t('Other')

const holdColumns: Column<LegalHold>[] = [
  { header: t('Business'), cell: ({ business }) => business.name },
  { header: t('Customer'), cell: ({ customerID }) => customerID ?? t('All') },
  { header: t('Reason'), cell: ({ reason }) => reason },
  { header: t('Since'), cell: ({ setDate }) => <RelativeDate value={setDate} /> },
  { header: t('By'), cell: ({ setBy }) => <OfOperator actor={setBy} />, isMinor: true },
  { header: t('Lift'), cell: ({ id }) => <LiftHold id={id} /> },
]

const termColumns: Column<Terms & { business: { id: string; name: string } }>[] = [
  { header: t('Business'), cell: ({ business }) => business.name },
  { header: t('Laboratory records'), cell: ({ laboratoryDays }) => termText(laboratoryDays) },
  { header: t('Requisitions'), cell: ({ requisitionDays }) => termText(requisitionDays) },
  { header: t('Correspondence'), cell: ({ correspondenceDays }) => termText(correspondenceDays), isMinor: true },
  { header: t('Ends for'), cell: ({ byAge }) => (byAge ? t('Everybody') : t('Erased people')) },
]

const retainedColumns: Column<Retention['kept'][number]>[] = [
  { header: t('Kind'), cell: ({ kind }) => wordOf(kind) },
  { header: t('Records'), cell: ({ records }) => records },
  { header: t('People'), cell: ({ people }) => people },
]

const runColumns: Column<Run>[] = [
  { header: t('When'), cell: ({ startedDate }) => <RelativeDate value={startedDate} /> },
  { header: t('State'), cell: ({ finishedDate }) => (finishedDate ? t('Finished') : t('Not finished')) },
  { header: t('Found'), cell: ({ counts }) => <Found counts={counts} /> },
]

function Found({ counts }: Pick<Run, 'counts'>) {
  const due = counts.filter((one) => one.due > 0)
  if (due.length === 0) return <>{t('Nothing was due')}</>
  return due.map(({ kind, of, due, purged, held, awaitingReport }) => (
    <Text key={`${of} ${kind}`} size="sm">
      {t(
        '{kind} of {of, select, erased {erased people} other {others}}: {due} due, {purged} purged{held, plural, =0 {} other {, # under legal hold}}{awaiting, plural, =0 {} other {, # with a report that is still kept}}',
        { kind: wordOf(kind), of, due, purged, held, awaiting: awaitingReport },
      )}
    </Text>
  ))
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      label={t('Reason')}
      description={t('10 to 500 characters, no names. The business reads it in its audit.')}
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
      label={t('Set a legal hold')}
      sentence={t(
        'Until it is lifted, nothing of theirs is purged. An erasure meanwhile restricts the person and keeps their records.',
      )}
      action={() =>
        set.mutateAsync({
          body: { businessID: business.trim(), reason, ...(customer.trim() && { customerID: customer.trim() }) },
        })
      }
      done={t('The legal hold stands')}
    >
      <TextInput
        label={t('Business')}
        description={t('Its ID or its name')}
        value={business}
        onChange={(event) => setBusiness(event.currentTarget.value)}
        required
      />
      <TextInput
        label={t('Customer')}
        description={t('The number of the customer; empty: the whole business')}
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
      label={t('Lift')}
      size="xs"
      isDangerous
      sentence={t('What has reached its term meanwhile is deleted at the next run. That cannot be undone.')}
      action={() => lift.mutateAsync({ params: { path: { holdID: id } }, body: { reason } })}
      done={t('The legal hold was lifted')}
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
      suffix={` ${t('days')}`}
      min={0}
      max={36_500}
      allowDecimal={false}
      value={draft[name]}
      onChange={(value) => setDraft({ ...draft, [name]: Number(value) })}
    />
  )
  return (
    <ConfirmButton
      label={t('Change the terms of all businesses')}
      isDangerous
      sentence={t(
        'Counts for what was recorded before, too: a shorter term deletes records at the next run. Terms of one business are changed on the command line.',
      )}
      action={() => change.mutateAsync({ body: draft })}
      done={t('The terms were changed')}
    >
      {field('laboratoryDays', t('Laboratory records'))}
      {field('requisitionDays', t('Requisitions'))}
      {field('correspondenceDays', t('Correspondence'))}
      <Switch
        label={t('Also end records of people who were not erased')}
        checked={draft.byAge}
        onChange={(event) => setDraft({ ...draft, byAge: event.currentTarget.checked })}
      />
    </ConfirmButton>
  )
}
