import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

/** Receives a lot of a component. */
export function ReceiveLot() {
  const save = useWrite('post', '/operator/v1/stock/components')
  const [component, setComponent] = useState('')
  const [lot, setLot] = useState('')
  const [expiryDate, setExpiryDate] = useState('')
  const [quantity, setQuantity] = useState('')
  const isWhole = component.trim() !== '' && lot.trim() !== '' && expiryDate !== '' && Number(quantity) > 0
  return (
    <ConfirmButton
      label={t('Receive a lot')}
      variant="filled"
      sentence={t('Write the component like before: a recall finds it by its name and number.')}
      action={() =>
        save.mutateAsync({
          body: { component: component.trim(), lot: lot.trim(), expiryDate, quantity: Number(quantity) },
        })
      }
      done={t('The lot was received')}
      isIncomplete={!isWhole}
    >
      <Stack gap="sm">
        <TextInput
          label={t('Component')}
          maxLength={100}
          value={component}
          onChange={(event) => setComponent(event.currentTarget.value)}
        />
        <TextInput
          label={t('Number of the lot')}
          maxLength={60}
          value={lot}
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        <TextInput
          label={t('Expires on')}
          type="date"
          value={expiryDate}
          onChange={(event) => setExpiryDate(event.currentTarget.value)}
        />
        <TextInput
          label={t('How many')}
          inputMode="numeric"
          value={quantity}
          onChange={(event) => setQuantity(event.currentTarget.value.replace(/\D/g, ''))}
        />
      </Stack>
    </ConfirmButton>
  )
}

// As many as the list answers at a time: those that expire first.
const MOST = 250

/** Says what a lot of kits is built from, one component at a time, and loads it. */
export function BuildLot() {
  const save = useWrite('post', '/operator/v1/stock/kit-lots')
  const [product, setProduct] = useState('')
  const [lot, setLot] = useState('')
  const [part, setPart] = useState<string | null>(null)
  const [isLoaded, setLoaded] = useState(false)
  const known = useRead('/operator/v1/stock/components', { params: { query: { size: MOST } } }).data?.data ?? []
  const parts = known.map(({ component, lot }) => ({ component, lot }))
  const nameOf = ({ component, lot }: { component: string; lot: string }) => `${component} · ${lot}`
  const chosen = parts.filter((one) => nameOf(one) === part)
  return (
    <ConfirmButton
      label={t('Add to a lot of kits')}
      sentence={t('What was said of the lot before stays: repeat this for each component.')}
      action={() =>
        save.mutateAsync({
          body: { product: product.trim(), lot: lot.trim(), components: chosen, ...(isLoaded && { load: true }) },
        })
      }
      done={t('The lot of kits was saved')}
      isIncomplete={product.trim() === '' || lot.trim() === ''}
    >
      <Stack gap="sm">
        <TextInput
          label={t('GTIN or kit type')}
          maxLength={64}
          value={product}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
        <TextInput
          label={t('Number of the lot')}
          maxLength={60}
          value={lot}
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        <Select
          label={t('Component')}
          searchable
          clearable
          data={parts.map(nameOf)}
          value={part}
          onChange={setPart}
          nothingFoundMessage={t('No lot was received')}
        />
        <Checkbox
          label={t('Load it: the stations pack this kit type from it')}
          checked={isLoaded}
          onChange={(event) => setLoaded(event.currentTarget.checked)}
        />
      </Stack>
    </ConfirmButton>
  )
}
