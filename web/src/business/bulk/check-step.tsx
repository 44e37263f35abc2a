import { Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { Facts } from '../../components/facts.tsx'
import { Failure } from '../../components/failure.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { CostTable } from '../orders/order-cost.tsx'
import { PaymentChoice, paymentOf } from '../orders/payment-choice.tsx'
import { type Row, requestRows } from './rows.ts'
import { RowsTable } from './rows-table.tsx'
import { useCheck } from './use-check.ts'

/** The rows with their errors in place, what they cost, and the order. */
export function CheckStep({ initial, onBack }: { initial: Row[]; onBack: () => void }) {
  const [rows, setRows] = useState(initial)
  const [way, setWay] = useState('default')
  const [notify, setNotify] = useState(true)
  const payment = useMemo(() => paymentOf(way), [way])
  const check = useCheck(rows, payment)
  const place = useWrite('post', '/api/v1/create-order')
  const navigate = useNavigate()
  const path = useRealmPath()
  // One key for one state of the rows: a second press after a lost answer orders nothing twice.
  const key = useMemo(() => [rows, way, notify].length && crypto.randomUUID(), [rows, way, notify])
  const faulty = check.data?.errors.size ?? 0
  const order = () =>
    place.mutate(
      {
        body: { bulkUploadData: requestRows(rows), isNotifyReceiver: notify, ...payment },
        headers: { 'Idempotency-Key': key },
      },
      {
        onSuccess: (answer) => {
          if ('jobId' in answer) return void navigate({ to: path('bulk', answer.jobId) })
          notifications.show({ message: `${rows.length} orders are placed` })
          void navigate({ to: path('orders') })
        },
      },
    )
  return (
    <Stack gap="md">
      <RowsTable rows={rows} errors={check.data?.errors ?? new Map()} onChange={setRows} />
      <Group align="flex-start" gap="md">
        <Paper withBorder p="md" w={280}>
          <PaymentChoice value={way} onChange={setWay} ways={['default', 'credits', 'card']} />
          <Checkbox
            mt="md"
            checked={notify}
            onChange={(event) => setNotify(event.currentTarget.checked)}
            label="Send the recipients status e-mails"
          />
        </Paper>
        <div style={{ flex: 1, minWidth: 280, maxWidth: 480 }}>
          <Facts title="What it costs">
            {check.isPending && <Skeleton height={80} />}
            {check.error && <Failure error={check.error} />}
            {check.data && <CostTable quote={check.data} waysToPay={way} />}
          </Facts>
        </div>
      </Group>
      {place.error && <Failure error={place.error} />}
      <Group>
        <Button
          loading={place.isPending}
          disabled={!check.isSettled || faulty > 0 || check.data?.valid !== true}
          onClick={order}
        >
          Order {check.data?.kits.toLocaleString('en') ?? ''} kits for {rows.length.toLocaleString('en')} people
        </Button>
        <Button variant="default" onClick={onBack} disabled={place.isPending}>
          Back to the columns
        </Button>
        {!check.isSettled && !check.error && <Text c="dimmed">Checking…</Text>}
        {check.isSettled && faulty > 0 && (
          <StatusDot tone="bad">{`${faulty} ${faulty === 1 ? 'row needs' : 'rows need'} a correction`}</StatusDot>
        )}
        {check.isSettled && check.data?.valid && <StatusDot tone="good">Every row is fine</StatusDot>}
      </Group>
    </Stack>
  )
}
