import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { Problem } from '../../api/problem.ts'
import type { Customer } from '../../api/shapes.ts'
import { Changes } from '../../components/changes.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { sexLabels, sexOptions } from './sexes.ts'

type Person = Pick<Customer, 'name' | 'dateOfBirth' | 'gender'> & { email?: string | undefined }
type Change = Partial<Pick<Customer, 'name' | 'email' | 'dateOfBirth' | 'gender'>>

interface CorrectPersonProps {
  /** Without an e-mail, that one is not corrected here. */
  person: Person
  save: (change: Change & { reason: string }, query: { isApprovedPerson?: 'true' }) => Promise<unknown>
  isReasonRequired?: boolean
}

/** Corrects what is stored about a person, and shows before what changes. Only changed fields are sent. */
export function CorrectPerson({ person, save, isReasonRequired = false }: CorrectPersonProps) {
  const [name, setName] = useState(person.name)
  const [email, setEmail] = useState(person.email ?? '')
  const [dateOfBirth, setDateOfBirth] = useState(person.dateOfBirth ?? '')
  const [gender, setGender] = useState<string | null>(person.gender ?? null)
  const [reason, setReason] = useState('')
  const [isRefused, setRefused] = useState(false)
  const [isApprovedPerson, setApprovedPerson] = useState(false)
  const given = { name: name.trim(), email: email.trim(), dateOfBirth, gender }
  const changed = Object.entries(given).filter(([key, value]) => value && value !== person[key as keyof Person])
  return (
    <ConfirmButton
      label={t('Correct')}
      sentence={t(
        'Reports that were assessed by another age or sex get a new version. If the e-mail address changes, links that were sent to the old one stop working.',
      )}
      isIncomplete={changed.length === 0 || (isReasonRequired && reason.trim() === '')}
      action={async () => {
        const query = isApprovedPerson ? ({ isApprovedPerson: 'true' } as const) : {}
        try {
          await save({ ...(Object.fromEntries(changed) as Change), reason: reason.trim() }, query)
        } catch (failure) {
          setRefused(failure instanceof Problem && failure.code === 'ILLEGAL_TRANSITION')
          throw failure
        }
      }}
      done={t('The customer was corrected')}
    >
      <Stack gap="sm">
        <TextInput label={t('Name')} required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        {person.email !== undefined && (
          <TextInput
            label={t('E-mail')}
            type="email"
            // A minor has none of their own.
            required={person.email !== ''}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t('Date of birth')}
          type="date"
          value={dateOfBirth}
          onChange={(event) => setDateOfBirth(event.currentTarget.value)}
        />
        {isRefused && (
          <Checkbox
            label={t('I made sure that this is the person for whom a provider approved the test, by another name')}
            description={t('For the audit')}
            checked={isApprovedPerson}
            onChange={(event) => setApprovedPerson(event.currentTarget.checked)}
          />
        )}
        <Select label={t('Sex')} data={sexOptions} value={gender} onChange={setGender} />
        <TextInput
          label={t('Reason')}
          description={t('For the audit')}
          required={isReasonRequired}
          maxLength={300}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Changes
          changes={changed.map(([key, value]) => ({
            name: labels[key as keyof Person],
            before: wordOf(key, person[key as keyof Person] ?? ''),
            after: wordOf(key, value ?? ''),
          }))}
        />
      </Stack>
    </ConfirmButton>
  )
}

const labels: Record<keyof Person, string> = {
  name: t('Name'),
  email: t('E-mail'),
  dateOfBirth: t('Date of birth'),
  gender: t('Sex'),
}

function wordOf(key: string, value: string): string {
  if (value === '') return ''
  if (key === 'dateOfBirth') return dayOf(value)
  return key === 'gender' ? sexLabels[value as keyof typeof sexLabels] : value
}

/** The same for the people of the business. */
export function CorrectCustomer({ customer }: { customer: Customer }) {
  const correct = useWrite('patch', '/api/v1/customers/{id}')
  return (
    <CorrectPerson
      person={customer}
      save={(body, query) => correct.mutateAsync({ params: { path: { id: String(customer.id) }, query }, body })}
    />
  )
}
