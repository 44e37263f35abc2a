import { Button, PasswordInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Shop } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { t } from '../../language/t.ts'

export function ShopActions({ shop }: { shop: Shop }) {
  const { shopID, kind, enabled, writesBack } = shop
  const params = { path: { shopID } }
  const [given, setGiven] = useState('')
  const [secret, setSecret] = useState<string>()
  const test = useWrite('post', '/api/v1/shops/{shopID}/test')
  const change = useWrite('patch', '/api/v1/shops/{shopID}')
  const rotate = useWrite('post', '/api/v1/shops/{shopID}/rotate-secret')
  const disconnect = useWrite('delete', '/api/v1/shops/{shopID}')
  const notify = ({ reached, code = '' }: { reached: boolean; code?: string }) =>
    reached
      ? notifications.show({ message: t('The shop answers: tracking can be written back.') })
      : notifications.show({ color: 'red', title: t('The shop does not let us in'), message: code })
  return (
    <>
      {writesBack && (
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() =>
            test.mutate(
              { params },
              {
                onSuccess: notify,
                onError: ({ message }) => notifications.show({ color: 'red', title: t('Not tried'), message }),
              },
            )
          }
        >
          {t('Test the connection')}
        </Button>
      )}
      <ConfirmButton
        label={t('Change the secret')}
        sentence={
          kind === 'shopify'
            ? t('Enter the new client secret of the app. The one of before stays valid for 24 hours.')
            : t('A new secret is created and shown once. The one of before stays valid for 24 hours.')
        }
        action={async () => {
          const body = kind === 'shopify' ? { webhookSecret: given } : {}
          setSecret((await rotate.mutateAsync({ params, body })).webhookSecret)
          setGiven('')
        }}
      >
        {kind === 'shopify' && (
          <PasswordInput
            label={t('Client secret of the app')}
            required
            autoComplete="off"
            value={given}
            onChange={(event) => setGiven(event.currentTarget.value)}
          />
        )}
      </ConfirmButton>
      <ConfirmButton
        label={enabled ? t('Switch off') : t('Switch on')}
        sentence={
          enabled
            ? t('Orders of the shop are kept, and none is placed until you switch the connection on again.')
            : t('Orders of the shop are placed again, those that waited included.')
        }
        action={() => change.mutateAsync({ params, body: { enabled: !enabled } })}
        done={enabled ? t('The connection is off') : t('The connection is on')}
      />
      <ConfirmButton
        label={t('Disconnect')}
        isDangerous
        sentence={t('The secrets are removed, and nothing that the shop sends is accepted. Its orders stay listed.')}
        action={() => disconnect.mutateAsync({ params })}
        done={t('The shop was disconnected')}
      />
      <SecretDialog
        title={t('The webhook secret')}
        sentence={t('Paste it into the field “Secret” of each webhook in WooCommerce.')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
