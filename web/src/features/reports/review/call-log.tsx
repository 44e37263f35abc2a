import { Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { t } from '../../../language/t.ts'
import { CriticalResult } from '../../critical/critical-result.tsx'
import { localTime } from '../local-time.ts'

export interface CallDraft {
  who: string
  /** Of the field: a local time. */
  at: string
}

interface CallLogProps {
  reportID: string
  draft: CallDraft
  onDraft: (draft: CallDraft) => void
  onOpen: (open: number) => void
}

/** What must be done before a report with critical results is published: each read back, and who was notified. */
export function CallLog({ reportID, draft, onDraft, onOpen }: CallLogProps) {
  const query = { reportID, state: 'all' as const, page: 0, size: 250 }
  const results = useRead('/operator/v1/critical-results', { params: { query } })
  const acknowledge = useWrite('post', '/operator/v1/critical-results/{criticalID}/acknowledge')
  const [isTyped, setTyped] = useState(false)
  const all = results.data?.data ?? []
  const open = all.filter(({ state }) => state === 'open').length
  const last = all.flatMap(({ acknowledged }) => acknowledged ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]
  useEffect(() => {
    if (results.data) onOpen(open)
  }, [results.data, open])
  // Who took the call is mostly who was told: it stands in the field to be read, and can be changed.
  useEffect(() => {
    if (last && !isTyped) onDraft({ who: last.who, at: localTime(new Date(last.at)) })
  }, [last?.at, last?.who, isTyped])
  const type = (part: Partial<CallDraft>) => {
    setTyped(true)
    onDraft({ ...draft, ...part })
  }
  return (
    <Section title={t('Call log')}>
      {results.error && <ErrorAlert error={results.error} retry={() => void results.refetch()} />}
      {results.isPending && <Skeleton height={120} />}
      {all.map((result) => (
        <CriticalResult
          key={result.id}
          result={result}
          isInline
          acknowledge={(body) => acknowledge.mutateAsync({ params: { path: { criticalID: result.id } }, body })}
        />
      ))}
      <Stack gap="xs">
        {open > 0 && <Text size="sm">{t('Read back each of them first. Then say who was notified.')}</Text>}
        <TextInput
          label={t('Who was notified?')}
          description={t('The person tested, or their doctor')}
          required
          maxLength={200}
          value={draft.who}
          onChange={(event) => type({ who: event.currentTarget.value })}
          autoComplete="off"
        />
        <TextInput
          label={t('When?')}
          type="datetime-local"
          required
          max={localTime(new Date())}
          value={draft.at}
          onChange={(event) => type({ at: event.currentTarget.value })}
        />
      </Stack>
    </Section>
  )
}
