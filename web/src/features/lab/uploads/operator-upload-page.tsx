import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import type { Upload } from '../../../api/operator-shapes.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { WarningAlert } from '../../../components/warning-alert.tsx'
import { rich, said, t } from '../../../language/t.ts'
import { CandidateRow } from './candidate-row.tsx'
import { blankCandidate, changeDecision, initialDecisions, openCount, resultsOf } from './decisions.ts'
import { whyReview } from './operator-upload-list-page.tsx'
import { PageViewer } from './page-viewer.tsx'
import css from './uploads.module.css'

export function UploadPage() {
  const { docID = '' } = useParams({ strict: false })
  const upload = useRead('/operator/v1/uploads/{docID}', { params: { path: { docID } } })
  if (upload.error && !upload.data) return <ErrorAlert error={upload.error} retry={() => void upload.refetch()} />
  return upload.data ? <UploadReview key={docID} upload={upload.data} /> : <PageHeader title={t('Upload')} />
}

function UploadReview({ upload }: { upload: Upload }) {
  const { docID, personProblem, note } = upload
  const navigate = useNavigate()
  const params = { path: { docID } }
  const report = useWrite('post', '/operator/v1/uploads/{docID}/results')
  const dismiss = useWrite('post', '/operator/v1/uploads/{docID}/dismiss')
  const [candidates, setCandidates] = useState(upload.candidates)
  const [decisions, setDecisions] = useState(() => initialDecisions(candidates))
  const [current, setCurrent] = useState(candidates[0]?.row)
  const [collectedDate, setCollectedDate] = useState(upload.collectedDate ?? '')
  const [reason, setReason] = useState('')
  const list = useRef<HTMLDivElement>(null)
  // Focus the first value, so that the keys work at once.
  useEffect(() => list.current?.querySelector<HTMLElement>('[data-candidate]')?.focus(), [])
  const open = openCount(decisions)
  const results = resultsOf(decisions)

  const add = () => {
    const blank = blankCandidate(candidates)
    setCandidates((before) => [...before, blank])
    setDecisions((before) => [...before, ...initialDecisions([blank])])
  }
  const send = () =>
    report.mutate(
      { params, body: { collectedDate, confirmed: true, results } },
      {
        onSuccess({ reportID }) {
          notifications.show({
            message: t('Report {reportID} was created from {count, plural, one {# value} other {# values}}', {
              reportID,
              count: results.length,
            }),
          })
          void navigate({ to: '/operator/uploads' })
        },
      },
    )

  return (
    <>
      <PageHeader
        title={[upload.patient?.name, upload.fileName ?? t('Laboratory file')].filter(Boolean).join(' · ')}
        id={docID}
        crumbs={[['uploads', t('Uploads')]]}
        sentence={t('{business} · customer {customerID} · {why}', {
          business: upload.business.name,
          customerID: upload.customerID,
          why: whyReview[upload.needsReview],
        })}
        actions={
          <ConfirmButton
            label={t('Dismiss')}
            sentence={t('No report is created from this file. The business sees your reason.')}
            action={async () => {
              await dismiss.mutateAsync({ params, body: { reason } })
              await navigate({ to: '/operator/uploads' })
            }}
            done={t('The upload was dismissed')}
            isDangerous
          >
            <TextInput
              label={t('Reason')}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              required
            />
          </ConfirmButton>
        }
      />
      <div className={css.desk}>
        <PageViewer
          picture={(page) => (
            <img src={`/operator/v1/uploads/${docID}/pages/${page}`} alt={t('Page {page}', { page })} loading="lazy" />
          )}
          pages={upload.pageImages}
          lines={upload.lines}
          crop={candidates.find(({ row }) => row === current)?.crop}
        />
        <Stack gap="sm">
          {personProblem && <WarningAlert title={said(`${personProblem}.`)} />}
          {note && <WarningAlert title={note} />}
          <Text>
            {rich(
              'Compare each value with the page. <key>Enter</key> confirms it, <key>X</key> leaves it out, and the arrow keys move between values.',
              { key: (words) => <strong>{words}</strong> },
            )}{' '}
            <Anchor href={`/operator/v1/uploads/${docID}/file`}>{t('Original file')}</Anchor>
          </Text>
          <div ref={list}>
            {candidates.map((candidate) => {
              const decision = decisions.find(({ row }) => row === candidate.row)
              return (
                decision && (
                  <CandidateRow
                    key={candidate.row}
                    candidate={candidate}
                    decision={decision}
                    isCurrent={candidate.row === current}
                    onFocus={() => setCurrent(candidate.row)}
                    onChange={(part) => setDecisions((before) => changeDecision(before, candidate.row, part))}
                  />
                )
              )
            })}
          </div>
          <Group>
            <Button variant="default" size="compact-sm" onClick={add}>
              {t('Add a value that was not read')}
            </Button>
          </Group>
          <TextInput
            id="collected"
            type="date"
            label={t('Collected on')}
            value={collectedDate}
            onChange={(event) => setCollectedDate(event.currentTarget.value)}
            required
          />
          {report.error && <ErrorAlert error={report.error} />}
          <Group justify="space-between">
            <Text role="status">
              {open > 0
                ? t(
                    '{open, plural, one {# of {all} values is to be confirmed.} other {# of {all} values are to be confirmed.}}',
                    { open, all: decisions.length },
                  )
                : t('{count, plural, one {# value is confirmed.} other {# values are confirmed.}}', {
                    count: results.length,
                  })}
            </Text>
            <Button
              onClick={send}
              loading={report.isPending}
              disabled={open > 0 || results.length === 0 || collectedDate === ''}
            >
              {t('Create the report')}
            </Button>
          </Group>
        </Stack>
      </div>
    </>
  )
}
