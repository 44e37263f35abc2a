import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { cardName } from '../../components/money.tsx'
import { Sheet } from '../../components/sheet.tsx'

export function Cards() {
  const { write } = usePermissions()
  const methods = useRead('/api/v1/payment-methods')
  const remove = useWrite('delete', '/api/v1/payment-methods/{id}')
  return (
    <Sheet h="100%">
      <Title order={2} mb="xs">
        Cards
      </Title>
      {methods.error && <ErrorAlert error={methods.error} retry={() => void methods.refetch()} />}
      {methods.isPending && <Skeleton height={80} />}
      <Stack gap="xs">
        {methods.data?.length === 0 && <Text c="dimmed">No card is saved. Orders are paid with credits.</Text>}
        {methods.data?.map((card) => (
          <Group key={card.id} justify="space-between">
            <div>
              <Text>{cardName(card)}</Text>
              <Text size="sm" c="dimmed">
                Expires {String(card.expMonth).padStart(2, '0')}/{card.expYear}
                {card.attached && ' · used for orders'}
              </Text>
            </div>
            {write && (
              <ConfirmButton
                label="Remove"
                size="xs"
                isDangerous
                sentence={`${cardName(card)} can no longer be charged.`}
                action={() => remove.mutateAsync({ params: { path: { id: card.id } } })}
                done="The card was removed"
              />
            )}
          </Group>
        ))}
        {write && <Attach />}
      </Stack>
    </Sheet>
  )
}

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
        <TextInput
          label="Add a card"
          description={
            mode === 'sandbox'
              ? 'A test ID of the payment provider, such as pm_card_visa'
              : 'The ID that your payment provider gave the card (pm_…)'
          }
          placeholder="pm_…"
          required
          flex={1}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={attach.isPending}>
          Add
        </Button>
      </Group>
      {attach.error && <ErrorAlert error={attach.error} />}
    </form>
  )
}
