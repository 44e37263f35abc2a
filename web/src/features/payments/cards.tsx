import { Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { cardName } from '../../components/money.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { expiryOf } from './card-expiry.ts'

export function Cards() {
  const { write } = usePermissions()
  const methods = useRead('/api/v1/payment-methods')
  const remove = useWrite('delete', '/api/v1/payment-methods/{id}')
  return (
    <Sheet h="100%">
      <Title order={2} mb="xs">
        {t('Cards')}
      </Title>
      {methods.error && <ErrorAlert error={methods.error} retry={() => void methods.refetch()} />}
      {methods.isPending && <Skeleton height={80} />}
      <Stack gap="xs">
        {methods.data?.length === 0 && <Text c="dimmed">{t('No card is saved. Orders are paid with credits.')}</Text>}
        {methods.data?.map((card) => (
          <Group key={card.id} justify="space-between">
            <div>
              <Text>
                {cardName(card)}
                {card.attached && t(' · used for orders')}
              </Text>
              <Expiry card={card} />
            </div>
            {write && (
              <Group gap="xs">
                {!card.attached && <UseForOrders id={card.id} />}
                <ConfirmButton
                  label={t('Remove')}
                  size="xs"
                  isDangerous
                  sentence={t('{cardName} can no longer be charged.', { cardName: cardName(card) })}
                  action={() => remove.mutateAsync({ params: { path: { id: card.id } } })}
                  done={t('The card was removed')}
                />
              </Group>
            )}
          </Group>
        ))}
        {write && <Attach />}
      </Stack>
    </Sheet>
  )
}

function Expiry({ card }: { card: { expMonth: number; expYear: number } }) {
  const { tone, words } = expiryOf(card)
  if (tone) return <StatusDot tone={tone}>{words}</StatusDot>
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  )
}

/** Attaching a card that is saved makes it the one that orders are charged to. */
function UseForOrders({ id }: { id: string }) {
  const attach = useWrite('post', '/api/v1/payment-methods')
  return (
    <>
      {attach.error && <ErrorAlert error={attach.error} />}
      <Button size="xs" variant="default" loading={attach.isPending} onClick={() => attach.mutate({ body: { id } })}>
        {t('Use for orders')}
      </Button>
    </>
  )
}

const TEST_CARDS = [
  { value: 'pm_card_visa', label: t('A card that pays') },
  { value: 'pm_card_declined', label: t('A card that is declined') },
  { value: 'pm_card_authentication_required', label: t('A card whose bank wants its holder to confirm') },
  { value: 'pm_card_slow', label: t('A card that takes three seconds') },
  { value: 'pm_card_lost_reply', label: t('A card whose answer is lost') },
]

/** Card numbers never reach Kitlane: the payment provider stores them and issues an ID. */
function Attach() {
  const { mode } = useRealm()
  const [id, setId] = useState('')
  const attach = useWrite('post', '/api/v1/payment-methods')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attach.mutate({ body: { id: id.trim() } }, { onSuccess: () => setId('') })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mt="xs">
        {mode === 'sandbox' ? (
          <Select
            label={t('Add a test card')}
            placeholder={t('What it does')}
            data={TEST_CARDS}
            flex={1}
            value={id || null}
            onChange={(next) => setId(next ?? '')}
          />
        ) : (
          <TextInput
            label={t('Add a card')}
            description={t('The ID that your payment provider gave the card (pm_…)')}
            placeholder="pm_…"
            required
            flex={1}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
          />
        )}
        <Button type="submit" variant="default" loading={attach.isPending} disabled={id.trim() === ''}>
          {t('Add')}
        </Button>
      </Group>
      {attach.error && <ErrorAlert error={attach.error} />}
    </form>
  )
}
