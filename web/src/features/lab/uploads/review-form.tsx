import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import type { UploadDetail } from '../../../api/shapes.ts'
import { useApi, useRealmPath } from '../../../app/realm.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { WarningAlert } from '../../../components/warning-alert.tsx'
import { rich, t } from '../../../language/t.ts'
import { CandidateRow } from './candidate-row.tsx'
import { blankCandidate, changeDecision, initialDecisions, openCount, resultsOf } from './decisions.ts'

type Candidate = UploadDetail['candidates'][number]

interface ReviewFormProps {
  upload: UploadDetail
  /** Called with the focused value, whose place on the page is then marked. */
  onCurrent: (candidate: Candidate) => void
}

export function ReviewForm({ upload, onCurrent }: ReviewFormProps) {
  const api = useApi()
  const path = useRealmPath()
  const navigate = useNavigate()
  const confirm = useWrite('post', `${api}/uploads/{docID}/results`)
  const [candidates, setCandidates] = useState(upload.candidates)
  const [decisions, setDecisions] = useState(() => initialDecisions(upload.candidates))
  const [currentRow, setCurrentRow] = useState(candidates[0]?.row)
  // The day that a business names of a file is its own word: the laboratory reads it on the page.
  const namedDate = api === '/api/v1' ? upload.date : ''
  const [collectedDate, setCollectedDate] = useState(upload.collectedDate ?? namedDate)
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
    confirm.mutate(
      { params: { path: { docID: upload.docID } }, body: { collectedDate, confirmed: true, results } },
      {
        onSuccess({ reportID }) {
          notifications.show({
            message: t('Report {reportID} was created from {count, plural, one {# value} other {# values}}', {
              reportID,
              count: results.length,
            }),
          })
          void navigate({ to: api === '/api/v1' ? path('reports', reportID) : path('uploads') })
        },
      },
    )
  return (
    <Stack gap="sm">
      {upload.personProblem && <WarningAlert title={`${upload.personProblem}.`} />}
      {upload.note && <WarningAlert title={upload.note} />}
      <Text>
        {rich(
          'Compare each value with the page. <key>Enter</key> confirms it, <key>X</key> leaves it out, and the arrow keys move between values.',
          { key: (words) => <strong>{words}</strong> },
        )}
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
                isCurrent={candidate.row === currentRow}
                onFocus={() => {
                  setCurrentRow(candidate.row)
                  onCurrent(candidate)
                }}
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
        required
        w={200}
        value={collectedDate}
        onChange={(event) => setCollectedDate(event.currentTarget.value)}
      />
      {confirm.error && <ErrorAlert error={confirm.error} />}
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
          loading={confirm.isPending}
          disabled={open > 0 || results.length === 0 || collectedDate === ''}
        >
          {t('Create the report')}
        </Button>
      </Group>
    </Stack>
  )
}
