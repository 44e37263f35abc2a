import { Alert, Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { type Reason, reasonWords } from './labels.ts'

const acts = [
  { value: 'receive', label: t('Receive') },
  { value: 'transfer', label: t('Move to another place') },
  { value: 'count', label: t('Count a place') },
  { value: 'adjust', label: t('Adjust, with a reason') },
]
const reasonOptions = Object.entries(reasonWords).map(([value, label]) => ({ value, label }))

interface Outcome {
  words: string
  problems: readonly string[]
  /** A count that differs, and can be applied. */
  differs?: boolean
}

/** Scanned boxes, one in each line, and what is done with them. */
export function ScanForm() {
  const [act, setAct] = useState('receive')
  const [place, setPlace] = useState('')
  const [reason, setReason] = useState<Reason>('damaged')
  const [note, setNote] = useState('')
  const [lines, setLines] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const receive = useWrite('post', '/operator/v1/stock/receipts')
  const transfer = useWrite('post', '/operator/v1/stock/transfers')
  const count = useWrite('post', '/operator/v1/stock/counts')
  const adjust = useWrite('post', '/operator/v1/stock/adjustments')
  const writes = [receive, transfer, count, adjust]
  const boxes = lines.split('\n').flatMap((line) => line.trim() || [])
  const beside = { ...(note.trim() && { note: note.trim() }) }

  const moved = (answer: { done: number; already: number; rows: readonly { code: string; error?: string }[] }) => {
    setOutcome({
      words: t(
        '{done, plural, one {# box is done} other {# boxes are done}}, {already, plural, one {# was so already} other {# were so already}}.',
        { done: answer.done, already: answer.already },
      ),
      problems: answer.rows.flatMap(({ code, error }) => (error ? `${code}: ${error}` : [])),
    })
    setLines('')
  }
  async function compare(apply: boolean): Promise<void> {
    const found = await count.mutateAsync({ body: { place: place.trim(), boxes, apply, ...beside } })
    const differs = found.missing.length + found.unexpected.length > 0
    setOutcome({
      words: t('{counted} of {expected} boxes are there.', { counted: found.counted, expected: found.expected }),
      problems: [
        ...found.missing.map(({ serial }) => t('{serial} is missing.', { serial })),
        ...found.unexpected.map(({ serial }) => t('{serial} is unexpected.', { serial })),
        ...found.failed.map(({ code, error }) => `${code}: ${error}`),
      ],
      differs: differs && !apply,
    })
    if (apply) setLines('')
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    for (const write of writes) write.reset()
    try {
      if (act === 'count') await compare(false)
      else if (act === 'transfer') moved(await transfer.mutateAsync({ body: { to: place.trim(), boxes, ...beside } }))
      else if (act === 'adjust') moved(await adjust.mutateAsync({ body: { reason, boxes, ...beside } }))
      else {
        const wanted = boxes.map((code) => ({ code }))
        moved(await receive.mutateAsync({ body: { place: place.trim(), boxes: wanted, dryRun: false, ...beside } }))
      }
    } catch {
      // The form shows it as the error of its request.
    }
  }

  const failed = writes.find(({ error }) => error)?.error
  return (
    <Section title={t('Scan boxes')}>
      <form onSubmit={(event) => void send(event)}>
        <Stack gap="sm" maw={640}>
          <Group gap="sm" align="end">
            <Select
              label={t('What to do')}
              data={acts}
              value={act}
              allowDeselect={false}
              onChange={(value) => {
                setAct(value ?? 'receive')
                setOutcome(undefined)
              }}
            />
            {act === 'adjust' ? (
              <Select
                label={t('Reason')}
                data={reasonOptions}
                value={reason}
                allowDeselect={false}
                onChange={(value) => value && setReason(value as Reason)}
              />
            ) : (
              <TextInput
                label={t('Place')}
                value={place}
                onChange={(event) => setPlace(event.currentTarget.value)}
                maxLength={60}
                required
              />
            )}
            <TextInput
              label={t('Note')}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              maxLength={300}
              required={act === 'adjust' && reason === 'other'}
            />
          </Group>
          <Textarea
            label={t('Boxes, one in each line')}
            description={t('Click here and scan them one after the other.')}
            autosize
            minRows={3}
            maxRows={12}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
            required={act !== 'count'}
          />
          <Group gap="sm">
            <Button type="submit" loading={writes.some(({ isPending }) => isPending)}>
              {acts.find(({ value }) => value === act)?.label}
            </Button>
            {outcome?.differs && (
              <Button
                variant="default"
                disabled={note.trim() === ''}
                onClick={() => void compare(true).catch(() => {})}
              >
                {t('Correct the stock by this count')}
              </Button>
            )}
          </Group>
          {outcome?.differs && note.trim() === '' && (
            <Text size="sm">{t('To correct the stock, say why in the note.')}</Text>
          )}
          {failed && <ErrorAlert error={failed} />}
          {outcome && (
            <Alert variant="light" title={outcome.words} color={outcome.problems.length > 0 ? 'yellow' : undefined}>
              {outcome.problems.map((problem) => (
                <Text key={problem} size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {problem}
                </Text>
              ))}
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  )
}
