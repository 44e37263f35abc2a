import {
  MultiSelect,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { t } from '../../language/t.ts'
import { countries } from '../orders/recipient-fields.tsx'
import { type Connection, type Draft, losesHeader, type ProblemOf } from './connection-draft.ts'

interface FieldsProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  problemOf: ProblemOf
}

const kinds: Record<Draft['kind'], string> = {
  mllp: t('MLLP: HL7 over a line of its own'),
  https: t('HTTPS: posted to an address'),
  folder: t('Folder: it fetches files'),
}
const options = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }))

const names = [
  ['sendingFacility', t('Sending facility (MSH-4)'), t('What the laboratory knows you by')],
  ['application', t('Receiving application (MSH-5)'), t('With its components, such as LAB^12D3456789^CLIA')],
  ['facility', t('Receiving facility (MSH-6)'), t('Leave empty if the laboratory asks for none')],
] as const

/** How messages reach the laboratory, and what stands in them. */
export function TransportFields({
  draft,
  before,
  change,
  problemOf,
}: FieldsProps & { before: Connection | undefined }) {
  return (
    <Stack gap="sm">
      <Select
        label={t('How orders reach it')}
        allowDeselect={false}
        data={options(kinds)}
        value={draft.kind}
        error={problemOf('transport.kind')}
        onChange={(kind) => kind && change({ kind })}
      />
      {draft.kind === 'folder' ? (
        <TextInput
          label={t('Folder')}
          description={t('Its name below LAB_ORDERS_FOLDER. It must be there.')}
          required
          maxLength={64}
          autoComplete="off"
          value={draft.folder}
          error={problemOf('transport.folder')}
          onChange={(event) => change({ folder: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          label={t('Address')}
          description={t('LAB_ORDERS_HOSTS must name its host and port.')}
          required
          placeholder={draft.kind === 'mllp' ? 'mllps://hl7.example-lab.com:2575' : 'https://orders.example-lab.com/'}
          autoComplete="off"
          value={draft.url}
          error={problemOf('transport.url')}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
      )}
      {draft.kind === 'https' && (
        <>
          <Select
            label={t('Format of orders')}
            allowDeselect={false}
            data={[
              { value: 'hl7v2', label: 'HL7 2.5.1 (OML^O21)' },
              { value: 'fhir', label: 'FHIR R4' },
            ]}
            value={draft.format}
            error={problemOf('format')}
            onChange={(format) => format && change({ format })}
          />
          <Authorization draft={draft} before={before} change={change} problemOf={problemOf} />
        </>
      )}
      {(draft.kind !== 'https' || draft.format === 'hl7v2') &&
        names.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            maxLength={180}
            autoComplete="off"
            value={draft[name]}
            error={problemOf(name)}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        ))}
    </Stack>
  )
}

/** The header is written and never shown. */
function Authorization({ draft, before, change, problemOf }: FieldsProps & { before: Connection | undefined }) {
  const isLost = before !== undefined && losesHeader(draft, before)
  const isSet = before?.hasAuthorization && !isLost
  return (
    <>
      {isSet && (
        <Radio.Group
          label={t('Header Authorization')}
          description={t('One is set. It is encrypted, and never shown.')}
          value={draft.secret}
          onChange={(secret) => change({ secret: secret as Draft['secret'] })}
        >
          <Stack gap={6} mt={6}>
            <Radio value="keep" label={t('Keep it')} />
            <Radio value="replace" label={t('Replace it')} />
            <Radio value="remove" label={t('Remove it')} />
          </Stack>
        </Radio.Group>
      )}
      {(!isSet || draft.secret === 'replace') && (
        <PasswordInput
          label={isSet ? t('New header') : t('Header Authorization')}
          description={
            isLost
              ? t('The one that is set was given for another address and is removed. Give it again.')
              : t('Such as “Bearer …”. It is encrypted, and never shown. Leave empty for none.')
          }
          required={isSet === true}
          maxLength={2000}
          autoComplete="off"
          value={draft.authorization}
          error={problemOf('authorization')}
          onChange={(event) => change({ authorization: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** Which orders the laboratory gets. */
export function RuleFields({ draft, change, problemOf }: FieldsProps) {
  const [places] = useState(countries)
  return (
    <Stack gap="sm">
      <Switch
        label={t('It gets new orders')}
        description={t('Off: orders that it has go on')}
        checked={draft.isActive}
        onChange={(event) => change({ isActive: event.currentTarget.checked })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label={t('Priority')}
          description={t('Of several that fit, the lowest number gets it')}
          required
          min={0}
          max={1000}
          allowDecimal={false}
          value={draft.priority}
          error={problemOf('priority')}
          onChange={(priority) => change({ priority })}
        />
        <NumberInput
          label={t('Orders a day, at most')}
          description={t('Days of UTC. Leave empty for no limit')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          value={draft.capacityPerDay}
          error={problemOf('capacityPerDay')}
          onChange={(capacityPerDay) => change({ capacityPerDay })}
        />
      </SimpleGrid>
      <MultiSelect
        label={t('Countries')}
        description={t('Where the people live whom it tests. Leave empty for everywhere')}
        searchable
        data={places}
        value={draft.countries}
        error={problemOf('countries')}
        onChange={(value) => change({ countries: value })}
      />
      <TagsInput
        label={t('States')}
        description={t('States of these countries, such as CA. Leave empty for all')}
        // Its list is empty: opened, it would take the key that closes it.
        openOnFocus={false}
        value={draft.states}
        error={problemOf('states')}
        onChange={(states) => change({ states })}
      />
    </Stack>
  )
}
