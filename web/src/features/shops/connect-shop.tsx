import type { paths } from '@kitlane/client'
import { Button, Checkbox, Group, Modal, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Shop } from '../../api/shapes.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'
import { kindNames } from './labels.ts'

type Body = NonNullable<paths['/api/v1/shops']['post']['requestBody']>['content']['application/json']

interface ConnectShopProps {
  opened: boolean
  onClose: () => void
  /** The form shows the error that it throws. */
  save: (body: Body) => Promise<void>
}

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

export function ConnectShop({ opened, onClose, save }: ConnectShopProps) {
  const [kind, setKind] = useState<Shop['kind']>('shopify')
  const [values, setValues] = useState({
    address: '',
    webhookSecret: '',
    accessToken: '',
    consumerKey: '',
    consumerSecret: '',
  })
  const [isNotifyReceiver, setNotify] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isShopify = kind === 'shopify'
  const given = (name: keyof typeof values) => values[name].trim() || undefined
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((former) => ({ ...former, [name]: value }))
    },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const access = isShopify
        ? { webhookSecret: given('webhookSecret'), accessToken: given('accessToken') }
        : { consumerKey: given('consumerKey'), consumerSecret: given('consumerSecret') }
      const typed = values.address.trim()
      const url = /^https?:\/\//.test(typed) ? typed : `https://${typed}`
      await save({ kind, url, isNotifyReceiver, ...access })
      onClose()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Connect a shop')} centered size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <SegmentedControl
            value={kind}
            onChange={(value) => setKind(value === 'shopify' ? 'shopify' : 'woocommerce')}
            data={kinds}
            aria-label={t('Kind of shop')}
          />
          <TextInput
            label={t('Address of the shop')}
            required
            placeholder={isShopify ? 'my-shop.myshopify.com' : 'https://shop.example.com'}
            data-autofocus
            {...field('address')}
          />
          {isShopify ? (
            <>
              <PasswordInput
                label={t('Client secret of the app')}
                description={t(
                  'Shopify signs its webhooks with it. In Shopify: Settings, Apps, Develop apps, your app.',
                )}
                required
                autoComplete="off"
                {...field('webhookSecret')}
              />
              <PasswordInput
                label={t('Admin API access token')}
                description={t(
                  'Writes tracking back. The app needs access to orders and to fulfillment orders. Optional.',
                )}
                autoComplete="off"
                {...field('accessToken')}
              />
            </>
          ) : (
            <>
              <TextInput
                label={t('Consumer key')}
                description={t(
                  'Writes tracking back. In WooCommerce: Settings, Advanced, REST API, with read and write access. Optional.',
                )}
                autoComplete="off"
                {...field('consumerKey')}
              />
              <PasswordInput label={t('Consumer secret')} autoComplete="off" {...field('consumerSecret')} />
            </>
          )}
          <Checkbox
            label={t('Send the recipient status e-mails')}
            checked={isNotifyReceiver}
            onChange={(event) => setNotify(event.currentTarget.checked)}
          />
          {error !== undefined && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {t('Connect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
