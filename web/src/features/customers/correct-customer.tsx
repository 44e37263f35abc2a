import { Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Customer } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { sexOptions } from './sexes.ts'

/** Corrects what is stored about a person. Only changed fields are sent. */
export function CorrectCustomer({ customer }: { customer: Customer }) {
  const correct = useWrite('patch', '/api/v1/customers/{id}')
  const [name, setName] = useState(customer.name)
  const [email, setEmail] = useState(customer.email)
  const [dateOfBirth, setDateOfBirth] = useState(customer.dateOfBirth ?? '')
  const [gender, setGender] = useState(customer.gender ?? null)
  const given = { name, email, dateOfBirth, gender }
  const changed = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => value && value !== customer[key as keyof typeof given]),
  )
  return (
    <ConfirmButton
      label={t('Correct')}
      sentence={t(
        'Reports that were assessed by another age or sex get a new version. If the e-mail address changes, links that were sent to the old one stop working.',
      )}
      action={() => correct.mutateAsync({ params: { path: { id: String(customer.id) } }, body: changed })}
      done={t('The customer was corrected')}
    >
      <Stack gap="sm">
        <TextInput label={t('Name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput
          label="E-mail"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label={t('Date of birth')}
          type="date"
          value={dateOfBirth}
          onChange={(event) => setDateOfBirth(event.currentTarget.value)}
        />
        <Select label={t('Sex')} data={sexOptions} value={gender} onChange={setGender} />
      </Stack>
    </ConfirmButton>
  )
}
