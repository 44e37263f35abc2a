import type { Answer, Query } from '@kitlane/client'
import { Button, Progress, Skeleton, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { saveFile } from '../../components/save-file.ts'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { OfOperator } from '../audit/names.tsx'
import {
  actionWords,
  Done,
  gradeOf,
  kindWords,
  lotOf,
  type Recall,
  RecallState,
  stageWords,
  Unnamed,
  underWayText,
} from './labels.tsx'

type Kit = Answer<'get', '/operator/v1/recalls/{recallID}/kits'>['data'][number]

/** A recall: how far it is, its kits, its report, and its end. */
export function RecallPage() {
  const { recallID = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/recalls/{recallID}', { params: { path: { recallID } } }, { every: 5000 })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  return <RecallView recall={found.data} />
}

function RecallView({ recall }: { recall: Recall }) {
  const { id, kits, due, state, underWay = 0, releasedUnderWay = 0 } = recall
  const close = useWrite('post', '/operator/v1/recalls/{recallID}/close')
  return (
    <>
      <PageHeader
        title={lotOf(recall)}
        crumbs={[['operator/recalls', t('Recalls')]]}
        beside={
          <>
            <RecallState recall={recall} />
            {recall.grade && <Text fw={600}>{gradeOf(recall)}</Text>}
          </>
        }
        sentence={recall.reason}
        actions={
          <>
            <SaveReport id={id} type="text/csv" name={`recall-${id}.csv`} label={t('All kits (CSV)')} />
            <SaveReport id={id} type="application/pdf" name={`recall-${id}.pdf`} label={t('Report (PDF)')} />
            {state === 'done' && (
              <ConfirmButton
                label={t('Close the recall')}
                sentence={
                  <>
                    {t('No further kit is added. What was done stays, and so does the quarantine of the lot.')}{' '}
                    {underWay > 0 && underWayText(underWay)}
                  </>
                }
                action={() => close.mutateAsync({ params: { path: { recallID: id } } })}
                done={t('The recall was closed')}
              />
            )}
          </>
        }
      />
      {recall.isUnnamed && <Unnamed />}
      {due > 0 && (
        <div role="status">
          <Text size="sm">
            {t('{done} of {kits} kits are done. All of them are stopped already.', { done: kits - due, kits })}
          </Text>
          <Progress value={(100 * (kits - due)) / kits} mb="md" aria-label={t('How far the recall is')} />
        </div>
      )}
      <TwoColumns
        left={<Kits recall={recall} />}
        right={
          <>
            <Facts
              title={t('Kits')}
              facts={[
                [t('Found'), String(kits)],
                ...recall.stages.map(({ stage, kits }): [string, string] => [stageWords[stage], String(kits)]),
                [t('Person told'), String(recall.told)],
                [t('Replaced'), String(recall.replaced)],
                [t('Free kits under way'), String(underWay)],
                [t('Released'), String(recall.released)],
                [t('Free kits under way for these'), recall.released > 0 ? String(releasedUnderWay) : undefined],
              ]}
            />
            <Facts
              title={t('Recall')}
              facts={[
                [t('What is recalled'), kindWords[recall.kind]],
                [t('What is done'), recall.actions.map((action) => actionWords[action]).join('. ')],
                [t('By'), <OfOperator key="by" actor={recall.by} />],
                [t('Since'), <RelativeDate key="since" value={recall.createdDate} />],
              ]}
            />
          </>
        }
      />
    </>
  )
}

function Kits({ recall: { id: recallID } }: { recall: Recall }) {
  const state = useListState<Query<'/operator/v1/recalls/{recallID}/kits'>>(['stage', 'isTold'])
  const params = { path: { recallID }, query: state.query }
  const kits = useRead('/operator/v1/recalls/{recallID}/kits', { params }, { keep: true })
  return (
    <>
      <ListToolbar
        state={state}
        filters={[
          {
            key: 'stage',
            label: t('Where it was'),
            options: Object.entries(stageWords).map(([value, label]) => ({ value, label })),
          },
          { key: 'isTold', label: t('E-mail to the person'), options: [{ value: 'false', label: t('Nobody wrote') }] },
        ]}
      />
      <DataTable
        label={t('Kits')}
        rows={kits.data?.data}
        error={kits.error}
        retry={() => void kits.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        empty={{ title: t('No such kits'), text: t('No kit of the recall is there.') }}
      />
      <Pager state={state} pagination={kits.data?.pagination} />
    </>
  )
}

const columns: Column<Kit>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, business, stage }) => (
      <>
        <PageLink to={`/operator/kits/${kitID}`}>{kitID}</PageLink>
        <Text size="xs" c="dimmed">
          {[business?.name, stage && stageWords[stage]].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  {
    header: t('What was done'),
    cell: (kit) => (kit.due && kit.stage === undefined ? t('Stopped, the rest follows') : <Done kit={kit} />),
  },
  { header: '', cell: (kit) => !kit.released && <Release kit={kit} />, isFixed: true, hasButtons: true },
]

function Release({ kit: { kitID, recallID, replacedBy } }: { kit: Kit }) {
  const release = useWrite('post', '/operator/v1/recalls/{recallID}/release')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={t('Release')}
      size="xs"
      sentence={
        <>
          {t('The kit was found to be right: it may be used, and its report may be published.')}{' '}
          {replacedBy && t('The free kit {kit} in its place is not canceled.', { kit: replacedBy })}
        </>
      }
      action={() =>
        release.mutateAsync({ params: { path: { recallID } }, body: { kitIDs: [kitID], reason: reason.trim() } })
      }
      done={t('The kit was released')}
      isIncomplete={reason.trim() === ''}
    >
      <TextInput
        label={t('Reason')}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmButton>
  )
}

interface SaveReportProps {
  id: string
  type: string
  name: string
  label: string
}

function SaveReport({ id, type, name, label }: SaveReportProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const response = await fetchRaw(undefined, `/operator/v1/recalls/${encodeURIComponent(id)}`, {
        headers: { Accept: type },
      })
      saveFile(await response.blob(), name)
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('The file could not be downloaded'),
        message: asProblem(error).message,
      })
    }
    setBusy(false)
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      {label}
    </Button>
  )
}
