import type { Answer, Init } from '@kitlane/client'
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { countries } from '../orders/recipient-fields.tsx'

export type Warehouse = Answer<'get', '/operator/v1/warehouses'>[number]
type Body = NonNullable<Init<'post', '/operator/v1/warehouses/{warehouseID}'>['body']>
type Product = Warehouse['products'][number]

const PROVIDERS = [
  { value: 'shipbob', label: 'ShipBob' },
  { value: 'shipstation', label: 'ShipStation' },
] as const

const unnamed: Product = { kitType: '', sku: '', needsSerial: false }
/** What is typed. Of the two services each has fields that the other has not. */
interface Draft
  extends Required<
    Omit<Warehouse, 'warehouseID' | 'hasSecretKey' | 'tested' | 'createdDate' | 'changedDate' | 'channelID'>
  > {
  channelID: number | undefined
}

const first: Draft = {
  provider: 'shipbob',
  isActive: true,
  country: 'US',
  shipsTo: ['US'],
  notToStates: [],
  products: [unnamed],
  channelID: undefined,
  shippingMethod: '',
  shipFromID: '',
}

function bodyOf({ channelID, shippingMethod, shipFromID, products, ...draft }: Draft): Body {
  const isShipBob = draft.provider === 'shipbob'
  return {
    ...draft,
    products: products.map(({ needsSerial, ...one }) => ({ ...one, needsSerial: isShipBob && needsSerial })),
    ...(isShipBob ? { ...(channelID && { channelID }), ...(shippingMethod && { shippingMethod }) } : { shipFromID }),
  }
}

/** What a warehouse packs and where it sends kits. Its key is never shown. */
export function WarehouseForm({ warehouse }: { warehouse?: Warehouse }) {
  const [name, setName] = useState(warehouse?.warehouseID ?? '')
  const [secretKey, setSecretKey] = useState('')
  const [draft, setDraft] = useState<Draft>(() => ({ ...first, ...definitionOf(warehouse) }))
  const save = useWrite('post', '/operator/v1/warehouses/{warehouseID}')
  const [places] = useState(countries)
  const change = (part: Partial<Draft>) => setDraft((former) => ({ ...former, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { ...bodyOf(draft), ...(secretKey && { secretKey }) }
    save.mutate(
      { params: { path: { warehouseID: name } }, body },
      { onSuccess: () => notifications.show({ message: t('The warehouse is saved') }) },
    )
  }
  return (
    <form onSubmit={submit} style={{ width: '100%' }}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {!warehouse && (
            <>
              <TextInput
                required
                label={t('Name, such as east')}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <Select
                label={t('Service')}
                allowDeselect={false}
                data={PROVIDERS}
                value={draft.provider}
                onChange={(provider) => provider && change({ provider })}
              />
            </>
          )}
          <TextInput
            type="password"
            autoComplete="off"
            required={!warehouse?.hasSecretKey}
            label={warehouse?.hasSecretKey ? t('API key or token, if it is new') : t('API key or token')}
            value={secretKey}
            onChange={({ currentTarget }) => setSecretKey(currentTarget.value)}
          />
          <OfTheService draft={draft} change={change} />
          <Select
            required
            searchable
            label={t('Country of the warehouse')}
            data={places}
            value={draft.country}
            onChange={(country) => country && change({ country })}
          />
        </SimpleGrid>
        <MultiSelect
          required
          searchable
          label={t('Countries to which it sends kits')}
          data={places}
          value={draft.shipsTo}
          onChange={(shipsTo) => change({ shipsTo })}
        />
        {draft.shipsTo.includes('US') && (
          <TagsInput
            label={t('States to which it sends none')}
            description={t('Two letters, such as PR, GU and VI, and AA, AE and AP of military post')}
            // Its list is empty: opened, it would take the key that closes it.
            openOnFocus={false}
            value={draft.notToStates}
            onChange={(states) => change({ notToStates: states.map((state) => state.toUpperCase()) })}
          />
        )}
        <Products
          products={draft.products}
          namesSerials={draft.provider === 'shipbob'}
          onChange={(products) => change({ products })}
        />
        <Checkbox
          label={t('It gets kits. If not, it only ends what it has')}
          checked={draft.isActive}
          onChange={({ currentTarget }) => change({ isActive: currentTarget.checked })}
        />
        {save.error && <ErrorAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Save the warehouse')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What is said of a warehouse, without what the service adds. */
function definitionOf(warehouse: Warehouse | undefined): Partial<Draft> {
  if (!warehouse) return {}
  const { warehouseID: _, hasSecretKey, tested, createdDate, changedDate, ...definition } = warehouse
  return definition
}

interface ServiceProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function OfTheService({ draft: { provider, channelID, shippingMethod, shipFromID }, change }: ServiceProps) {
  if (provider === 'shipstation')
    return (
      <TextInput
        required
        label={t('Warehouse at ShipStation')}
        placeholder="se-28529731"
        value={shipFromID}
        onChange={({ currentTarget }) => change({ shipFromID: currentTarget.value })}
      />
    )
  return (
    <>
      <TextInput
        required
        inputMode="numeric"
        pattern="[0-9]+"
        label={t('Channel that the token may write to')}
        value={channelID ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ channelID: Number(value.replace(/\D/g, '')) || undefined })
        }
      />
      <TextInput
        label={t('Shipping method, as in the ship option mapping')}
        placeholder={t('Standard')}
        value={shippingMethod}
        onChange={({ currentTarget }) => change({ shippingMethod: currentTarget.value })}
      />
    </>
  )
}

interface ProductsProps {
  products: Product[]
  /** Whether the service names the serial number of the box that left. */
  namesSerials: boolean
  onChange: (products: Product[]) => void
}

function Products({ products, namesSerials, onChange }: ProductsProps) {
  const panels = useRead('/operator/v1/panels').data ?? []
  const kitTypes = panels.map(({ kitType, name }) => ({ value: kitType, label: `${name} (${kitType})` }))
  const put = (at: number, part: Partial<Product>) =>
    onChange(products.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <Fieldset legend={t('What it packs')}>
      <Stack gap="sm">
        {products.map(({ kitType, sku, needsSerial }, at) => (
          <Group key={at} align="end" gap="sm">
            <Select
              required
              searchable
              label={t('Kit type')}
              data={kitTypes}
              value={kitType || null}
              onChange={(value) => put(at, { kitType: value ?? '' })}
            />
            <TextInput
              required
              label={t('SKU, as the warehouse names it')}
              value={sku}
              onChange={({ currentTarget }) => put(at, { sku: currentTarget.value })}
            />
            {products.length > 1 && (
              <Button
                variant="default"
                c="var(--k-bad)"
                onClick={() => onChange(products.filter((_, index) => index !== at))}
              >
                {t('Remove')}
              </Button>
            )}
            {namesSerials && (
              <Checkbox
                w="100%"
                label={t('A kit whose parcel left without a serial number waits for a person')}
                checked={needsSerial}
                onChange={({ currentTarget }) => put(at, { needsSerial: currentTarget.checked })}
              />
            )}
          </Group>
        ))}
        <Button variant="default" size="xs" w="fit-content" onClick={() => onChange([...products, unnamed])}>
          {t('Add a kit type')}
        </Button>
      </Stack>
    </Fieldset>
  )
}

/** A warehouse: what its last test said, and its settings. */
export function WarehouseSection({ warehouse }: { warehouse: Warehouse }) {
  const { warehouseID, tested, hasSecretKey } = warehouse
  const test = useWrite('post', '/operator/v1/warehouses/{warehouseID}/test')
  const { isAdmin } = useOperatorRoles()
  return (
    <Section title={warehouseID}>
      <Stack gap="xs" align="start">
        {tested && (
          <StatusDot tone={tested.isDone ? 'good' : 'bad'}>{tested.sentence ?? t('The account works.')}</StatusDot>
        )}
        {test.error && <ErrorAlert error={test.error} />}
        <Button
          variant="default"
          disabled={!hasSecretKey}
          loading={test.isPending}
          onClick={() => test.mutate({ params: { path: { warehouseID } } })}
        >
          {t('Test the account')}
        </Button>
        {isAdmin && <WarehouseForm warehouse={warehouse} />}
      </Stack>
    </Section>
  )
}
