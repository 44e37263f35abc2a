import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { cardName } from '../../components/money.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { AddCard } from './add-card.tsx'
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
                  sentence={t('{card} can no longer be charged.', { card: cardName(card) })}
                  action={() => remove.mutateAsync({ params: { path: { id: card.id } } })}
                  done={t('The card was removed')}
                />
              </Group>
            )}
          </Group>
        ))}
        {write && <AddCard />}
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
