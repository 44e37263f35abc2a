import type { components } from '@kitlane/client'
import { Fieldset, Select, Stack, TagsInput, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../language/t.ts'
import { countries } from '../orders/recipient-fields.tsx'

type Designator = components['schemas']['NotifiableSender']['application']
export const unnamed: Designator = { name: '', id: '', kind: 'ISO' }

interface FieldProps extends Omit<TextInputProps, 'onChange'> {
  value: string
  onChange: (to: string) => void
}

export function Field({ onChange, ...props }: FieldProps) {
  return (
    <TextInput
      autoComplete="off"
      maxLength={200}
      {...props}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface PlaceProps {
  value: { country: string; states?: string[] | undefined }
  change: (part: { country: string } | { states: string[] }) => void
}

/** Where a rule or an authority holds. */
export function Place({ value, change }: PlaceProps) {
  const [data] = useState(countries)
  return (
    <>
      <Select
        label={t('Country')}
        searchable
        allowDeselect={false}
        data={data}
        value={value.country}
        onChange={(country) => country && change({ country })}
      />
      <TagsInput
        label={t('States')}
        description={t('Two letters, such as CA. Empty: the whole country')}
        // Its list is empty: opened, it would take the key that closes it.
        openOnFocus={false}
        value={value.states ?? []}
        onChange={(states) => change({ states: states.map((state) => state.toUpperCase()) })}
      />
    </>
  )
}

/** A name and the number that makes it one of a kind. */
export function Named({
  title,
  value,
  onChange,
}: {
  title: string
  value: Designator
  onChange: (to: Designator) => void
}) {
  const put = (part: Partial<Designator>) => onChange({ ...value, ...part })
  return (
    <Fieldset legend={title}>
      <Stack gap="xs">
        <Field label={t('Name')} value={value.name} onChange={(name) => put({ name })} required maxLength={20} />
        <Select
          label={t('Kind of its number')}
          allowDeselect={false}
          data={[
            { value: 'ISO', label: 'OID' },
            { value: 'CLIA', label: 'CLIA' },
          ]}
          value={value.kind ?? 'ISO'}
          onChange={(kind) => kind && put({ kind })}
        />
        <Field label={t('Its number')} value={value.id} onChange={(id) => put({ id })} required maxLength={199} />
      </Stack>
    </Fieldset>
  )
}
