import { Grid, TextInput } from '@mantine/core'
import { t } from '../../language/t.ts'
import type { Draft } from './draft.ts'

type Name = Exclude<keyof Draft, 'tags' | 'notify' | 'payment' | 'items' | 'externalID'>

const fields: { name: Name; label: string; span: number; required?: boolean; autoComplete: string; type?: string }[] = [
  { name: 'first_name', label: t('First name'), span: 6, required: true, autoComplete: 'off' },
  { name: 'last_name', label: t('Last name'), span: 6, required: true, autoComplete: 'off' },
  { name: 'email', label: t('E-mail'), span: 6, required: true, autoComplete: 'off', type: 'email' },
  { name: 'phone', label: t('Phone'), span: 6, autoComplete: 'off', type: 'tel' },
  { name: 'street1', label: t('Street and number'), span: 8, required: true, autoComplete: 'off' },
  { name: 'street2', label: t('Flat or unit'), span: 4, autoComplete: 'off' },
  { name: 'city', label: t('City'), span: 5, required: true, autoComplete: 'off' },
  { name: 'state', label: t('State'), span: 3, required: true, autoComplete: 'off' },
  { name: 'zip', label: t('ZIP'), span: 2, required: true, autoComplete: 'off' },
  { name: 'country', label: t('Country'), span: 2, required: true, autoComplete: 'off' },
]

type AddressName = Extract<Name, 'street1' | 'street2' | 'city' | 'state' | 'zip' | 'country'>

/** Those of the address alone. */
export const addressFields = fields.filter((field): field is (typeof fields)[number] & { name: AddressName } =>
  ['street1', 'street2', 'city', 'state', 'zip', 'country'].includes(field.name),
)

interface RecipientFieldsProps {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  /** What the service says about a field, by the last part of its path. */
  problems: Map<string, string>
}

export function RecipientFields({ draft, onChange, problems }: RecipientFieldsProps) {
  return (
    <Grid gap="sm">
      {fields.map(({ name, label, span, required, autoComplete, type }) => (
        <Grid.Col key={name} span={{ base: 12, xs: span }}>
          <TextInput
            label={label}
            name={name}
            type={type}
            required={required}
            autoComplete={autoComplete}
            maxLength={name === 'country' ? 2 : 200}
            value={draft[name]}
            error={problems.get(name)}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        </Grid.Col>
      ))}
    </Grid>
  )
}
