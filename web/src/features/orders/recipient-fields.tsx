import { countryCodes, postcodeNameOf, regionNameOf } from '@kitlane/display/postal-address'
import { Button, Grid, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { locale, t } from '../../language/t.ts'
import type { Draft } from './draft.ts'
import { countryOf, isNeeded, recipientCorrections, recipientProblems } from './recipient-problems.ts'

type Name = Exclude<keyof Draft, 'tags' | 'notify' | 'payment' | 'items' | 'externalID'>

const fields: { name: Name; label: string; span: number; required?: boolean; autoComplete: string; type?: string }[] = [
  { name: 'first_name', label: t('First name'), span: 6, required: true, autoComplete: 'off' },
  { name: 'last_name', label: t('Last name'), span: 6, required: true, autoComplete: 'off' },
  { name: 'email', label: t('E-mail'), span: 6, required: true, autoComplete: 'off', type: 'email' },
  { name: 'phone', label: t('Phone'), span: 6, autoComplete: 'off', type: 'tel' },
  { name: 'street1', label: t('Street and number'), span: 8, required: true, autoComplete: 'off' },
  { name: 'street2', label: t('Flat or unit'), span: 4, autoComplete: 'off' },
  { name: 'country', label: t('Country'), span: 12, required: true, autoComplete: 'off' },
  { name: 'city', label: t('City'), span: 5, required: true, autoComplete: 'off' },
  { name: 'state', label: t('State'), span: 4, autoComplete: 'off' },
  { name: 'zip', label: t('ZIP'), span: 3, autoComplete: 'off' },
]

type AddressName = Extract<Name, 'street1' | 'street2' | 'city' | 'state' | 'zip' | 'country'>

/** Those of the address alone. */
export const addressFields = fields.filter((field): field is (typeof fields)[number] & { name: AddressName } =>
  ['street1', 'street2', 'city', 'state', 'zip', 'country'].includes(field.name),
)

const regionNames = {
  state: t('State'),
  province: t('Province'),
  prefecture: t('Prefecture'),
  county: t('County'),
  emirate: t('Emirate'),
  region: t('Region'),
}
const postcodeNames = { zip: t('ZIP'), eircode: t('Eircode'), postcode: t('Postcode') }

/** What a field of an address is called in its country. */
export function addressLabel(name: Name, label: string, of: Pick<Draft, 'country'>): string {
  if (name === 'state') return regionNames[regionNameOf(countryOf(of))]
  return name === 'zip' ? postcodeNames[postcodeNameOf(countryOf(of))] : label
}

/** Countries by their names in the language of the page. */
export const countries = () => {
  const names = new Intl.DisplayNames(locale(), { type: 'region' })
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, locale()))
}

interface CountryFieldProps {
  of: Pick<Draft, 'country'>
  error?: string | undefined
  onChange: (country: string) => void
}

/** The country of an address, found by its name or its letters. */
export function CountryField({ of, error, onChange }: CountryFieldProps) {
  const [data] = useState(countries)
  return (
    <Select
      label={t('Country')}
      name="country"
      required
      searchable
      allowDeselect={false}
      autoComplete="off"
      data={data}
      filter={({ options, search }) => options.filter((one) => 'value' in one && isMeant(one, search.trim()))}
      value={countryOf(of)}
      error={error}
      onChange={(country) => country !== null && onChange(country)}
    />
  )
}

const isMeant = ({ value, label }: { value: string; label: string }, search: string): boolean =>
  value === search.toUpperCase() || label.toLocaleLowerCase().includes(search.toLocaleLowerCase())

interface RecipientFieldsProps {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  /** What the service says about a field, by the last part of its path. */
  problems: Map<string, string>
  /** The form was sent: fields that nobody was in are checked, too. */
  isSent?: boolean
}

/** The fields of which `RecipientFields` shows what is wrong. */
export const recipientFieldNames: readonly string[] = fields.map(({ name }) => name)

/** Whom an order goes to. A field says what is wrong with it once it was left, as the page for many orders does. */
export function RecipientFields({ draft, onChange, problems, isSent = false }: RecipientFieldsProps) {
  const [left, setLeft] = useState<readonly string[]>([])
  const own = recipientProblems(draft)
  const corrections = new Map(recipientCorrections(draft).map(({ field, to }) => [field, to]))
  const problemOf = (name: Name) => problems.get(name) ?? (isSent || left.includes(name) ? own.get(name) : undefined)
  return (
    <Grid gap="sm">
      {fields.map(({ name, label, span, required, autoComplete, type }) => {
        const better = left.includes(name) ? corrections.get(name) : undefined
        return (
          <Grid.Col key={name} span={{ base: 12, xs: span }}>
            {name === 'country' ? (
              <CountryField of={draft} error={problemOf(name)} onChange={(country) => onChange({ country })} />
            ) : (
              <TextInput
                label={addressLabel(name, label, draft)}
                name={name}
                type={type}
                required={name === 'state' || name === 'zip' ? isNeeded(name, draft) : required}
                autoComplete={autoComplete}
                maxLength={200}
                value={draft[name]}
                error={problemOf(name)}
                onBlur={() => setLeft((former) => [...former, name])}
                onChange={(event) => onChange({ [name]: event.currentTarget.value })}
              />
            )}
            {better !== undefined && (
              <Button size="compact-xs" variant="subtle" onClick={() => onChange({ [name]: better })}>
                {t('Write {text}', { text: better })}
              </Button>
            )}
          </Grid.Col>
        )
      })}
    </Grid>
  )
}
