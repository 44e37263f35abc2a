import { Alert, Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { useSettled } from '../../../api/use-settled.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { Facts } from '../../../components/facts.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { usePanels } from '../../catalogue/use-panels.ts'
import { CostTable } from '../order-cost.tsx'
import { PaymentChoice, paymentOf } from '../payment-choice.tsx'
import { SettlingNote } from '../settling-note.tsx'
import { csvOfRows } from './failed-rows-csv.ts'
import { duplicatesOf } from './row-problems.ts'
import { type Row, requestRows } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { SuggestionsBox } from './suggestions-box.tsx'
import { useCheck } from './use-check.ts'

/** The rows with their errors, the price, and the button that orders all rows or the valid ones. */
export function CheckStep({ initial, onBack }: { initial: Row[]; onBack: () => void }) {
  const [rows, setRows] = useState(initial)
  const [way, setWay] = useState('default')
  const [notify, setNotify] = useState(true)
  const payment = useMemo(() => paymentOf(way), [way])
  const { panels = [] } = usePanels()
  const check = useCheck(rows, panels, payment)
  const place = useWrite('post', '/api/v1/create-order')
  const { isSettling, untilSettled } = useSettled()
  const navigate = useNavigate()
  const path = useRealmPath()
  // One key for each state of the rows: a second click after a lost answer orders nothing twice.
  const key = useMemo(() => [rows, way, notify].length && crypto.randomUUID(), [rows, way, notify])
  const duplicates = useMemo(() => duplicatesOf(rows), [rows])
  const problems = check.data?.problems ?? new Map()
  const quote = check.data?.quote
  const good = rows.filter((_, at) => !problems.has(at))
  const rest = rows.flatMap((row, at) => (problems.has(at) ? [{ row, problems: problems.get(at) ?? [] }] : []))
  const saveRest = () => saveFile(new Blob([csvOfRows(rest)], { type: 'text/csv' }), 'not-ordered.csv')
  const send = () =>
    place.mutateAsync({
      body: { bulkUploadData: requestRows(good), isNotifyReceiver: notify, ...payment },
      headers: { 'Idempotency-Key': key },
    })
  const order = async () => {
    const answer = await untilSettled(send).catch(() => undefined)
    // The page shows the error of the request.
    if (answer === undefined) return
    if (rest.length > 0) saveRest()
    const left =
      rest.length > 0 &&
      t('{count, plural, one {# row is} other {# rows are}} in the file not-ordered.csv', { count: rest.length })
    const say = (done: string) => notifications.show({ message: [done, left].filter(Boolean).join('; ') })
    const count = good.length
    if ('jobId' in answer) {
      if (left) say(t('{count, plural, one {# order is} other {# orders are}} on the way', { count }))
      return void navigate({ to: path('bulk', answer.jobId) })
    }
    say(t('{count, plural, one {# order is} other {# orders are}} placed', { count }))
    void navigate({ to: path('orders') })
  }
  return (
    <Stack gap="md">
      <SuggestionsBox rows={rows} onChange={setRows} />
      <DuplicatesNote rows={rows} duplicates={duplicates} onChange={setRows} />
      <RowsTable rows={rows} problems={problems} duplicates={duplicates} onChange={setRows} />
      <Group align="flex-start" gap="md">
        <Paper withBorder p="md" w={280}>
          <PaymentChoice value={way} onChange={setWay} ways={['default', 'credits', 'card']} />
          <Checkbox
            mt="md"
            checked={notify}
            onChange={(event) => setNotify(event.currentTarget.checked)}
            label={t('Send the recipients status e-mails')}
          />
        </Paper>
        <div style={{ flex: 1, minWidth: 280, maxWidth: 480 }}>
          <Facts title={t('What it costs')}>
            {check.isPending && <Skeleton height={80} />}
            {check.error && <ErrorAlert error={check.error} />}
            {quote && <CostTable quote={quote} payment={way} />}
            {check.data && !quote && <Text c="dimmed">{t('No row can be ordered yet.')}</Text>}
          </Facts>
        </div>
      </Group>
      {isSettling && <SettlingNote />}
      {place.error && !isSettling && <ErrorAlert error={place.error} />}
      <Group>
        <Button
          loading={place.isPending || isSettling}
          disabled={!check.isSettled || quote?.valid !== true}
          onClick={() => void order()}
        >
          {rest.length > 0
            ? t('Order the {count, plural, one {# valid row} other {# valid rows}} and save the rest as a file', {
                count: good.length,
              })
            : t(
                'Order {kits, plural, one {# kit} other {# kits}} for {people, plural, one {# person} other {# people}}',
                { kits: quote?.kits ?? 0, people: rows.length },
              )}
        </Button>
        {rest.length > 0 && (
          <Button variant="default" onClick={saveRest}>
            {t('Save {count, plural, one {# row} other {# rows}} with errors as a file', { count: rest.length })}
          </Button>
        )}
        <Button variant="default" onClick={onBack} disabled={place.isPending || isSettling}>
          {t('Back to the columns')}
        </Button>
        {!check.isSettled && !check.error && <Text c="dimmed">{t('Checking…')}</Text>}
        {check.isSettled && rest.length > 0 && (
          <StatusDot tone="bad">
            {t('{count, plural, one {# row needs a correction} other {# rows need a correction}}', {
              count: rest.length,
            })}
          </StatusDot>
        )}
        {check.isSettled && rest.length === 0 && quote?.valid && (
          <StatusDot tone="good">{t('All rows are valid')}</StatusDot>
        )}
      </Group>
    </Stack>
  )
}

interface DuplicatesNoteProps {
  rows: Row[]
  /** From the index of a row to the index of the row that it repeats. */
  duplicates: ReadonlyMap<number, number>
  onChange: (rows: Row[]) => void
}

/** Rows that send a person the same panel twice: allowed, because it may be intended, but pointed out. */
function DuplicatesNote({ rows, duplicates, onChange }: DuplicatesNoteProps) {
  const count = duplicates.size
  if (count === 0) return null
  return (
    <Alert color="orange" variant="light" title={t('The same person and panel again')}>
      <Group justify="space-between">
        <span>
          {t(
            '{count, plural, one {# row repeats an earlier one} other {# rows repeat earlier ones}}. If that is intended, continue: each row sends its own kits.',
            { count },
          )}
        </span>
        <Button size="xs" variant="default" onClick={() => onChange(rows.filter((_, place) => !duplicates.has(place)))}>
          {t('Remove the {count, plural, one {repeated row} other {# repeated rows}}', { count })}
        </Button>
      </Group>
    </Alert>
  )
}
