import { Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { cardName, moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'

/** Buys credits with the card for orders. Without a card, or a price, the operator gives them out. */
export function BuyCredits() {
  const [opened, { open, close }] = useDisclosure()
  const methods = useRead('/api/v1/payment-methods')
  const prices = useRead('/api/v1/credits/top-up')
  const card = methods.data?.find(({ attached }) => attached)
  const priced = (prices.data?.topUps ?? []).filter(({ price }) => price > 0)
  if (!methods.data || !prices.data) return null
  if (!card || priced.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {t('Ask the operator for more credits.')}
      </Text>
    )
  }
  return (
    <>
      <Button mt="sm" onClick={open} aria-haspopup="dialog">
        {t('Buy credits')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('Buy credits')} centered>
        <BuyForm priced={priced} card={cardName(card)} close={close} />
      </Modal>
    </>
  )
}

interface BuyFormProps {
  priced: readonly { type: string; price: number; currency: string }[]
  card: string
  close: () => void
}

function BuyForm({ priced, card, close }: BuyFormProps) {
  const { nameOf } = usePanels()
  const [type, setType] = useState(priced[0]?.type ?? '')
  const [amount, setAmount] = useState<number | ''>(10)
  // Of this form: pressing twice, or again after a lost answer, buys once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const buy = useWrite('post', '/api/v1/credits/buy')
  const chosen = priced.find((one) => one.type === type)
  const change = (apply: () => void) => {
    apply()
    setKey(crypto.randomUUID())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (amount === '') return
    buy.mutate(
      { body: { type, amount }, headers: { 'Idempotency-Key': key } },
      {
        onSuccess: ({ credits }) => {
          notifications.show({
            message: t(
              '{amount, plural, one {# credit was} other {# credits were}} bought. There are {credits, number} now.',
              {
                amount,
                credits,
              },
            ),
          })
          close()
        },
        onError: ({ extra }) => {
          if (!extra?.settling) setKey(crypto.randomUUID())
        },
      },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={t('Panel')}
          data={priced.map((one) => ({ value: one.type, label: nameOf(one.type) }))}
          allowDeselect={false}
          value={type}
          onChange={(next) => change(() => setType(next ?? type))}
        />
        <NumberInput
          label={t('Credits')}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={amount}
          onChange={(next) => change(() => setAmount(typeof next === 'number' ? next : ''))}
        />
        {chosen && amount !== '' && (
          <Text>{t('{sum} by {card}', { sum: moneyOf(chosen.price * amount, chosen.currency), card })}</Text>
        )}
        {buy.error && <ErrorAlert error={buy.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={buy.isPending} disabled={amount === '' || amount < 1}>
            {t('Buy')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
