import { Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { useSettled } from '../../../api/use-settled.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { Facts } from '../../../components/facts.tsx'
import { pluralize } from '../../../components/pluralize.ts'
import { saveFile } from '../../../components/save-file.ts'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { usePanels } from '../../catalogue/use-panels.ts'
import { CostTable } from '../order-cost.tsx'
import { PaymentChoice, paymentOf } from '../payment-choice.tsx'
import { SettlingNote } from '../settling-note.tsx'
import { DuplicatesNote } from './duplicates-note.tsx'
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
    const orders = pluralize(good.length, t('order is'), t('orders are'))
    const left =
      rest.length > 0 ? `; ${pluralize(rest.length, t('row is'), t('rows are'))} in the file not-ordered.csv` : ''
    if ('jobId' in answer) {
      if (left) notifications.show({ message: t('{orders} on the way{left}', { orders, left }) })
      return void navigate({ to: path('bulk', answer.jobId) })
    }
    notifications.show({ message: t('{orders} placed{left}', { orders, left }) })
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
            ? `Order the ${pluralize(good.length, t('valid row'))} and save the rest as a file`
            : t(
                'Order {count, plural, one {# kit} other {# kits}} for {count2, plural, one {# person} other {# people}}',
                { count: quote?.kits ?? 0, count2: rows.length },
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
            {pluralize(rest.length, t('row needs a correction'), t('rows need a correction'))}
          </StatusDot>
        )}
        {check.isSettled && rest.length === 0 && quote?.valid && (
          <StatusDot tone="good">{t('All rows are valid')}</StatusDot>
        )}
      </Group>
    </Stack>
  )
}
