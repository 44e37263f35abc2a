import type { components } from '@kitlane/client'
import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'

type Profile = Omit<components['schemas']['LaboratoryProfile'], 'id'>

interface EditLaboratoryProps {
  label: string
  profile?: Profile
  save: (profile: Profile) => Promise<unknown>
}

const fields = [
  ['name', t('Name'), 200],
  ['address', t('Address'), 400],
  ['clia', t('CLIA number'), 40],
  ['director', t('Laboratory director'), 200],
  ['timeZone', t('Time zone, such as America/New_York'), 60],
] as const

type Draft = Record<(typeof fields)[number][0], string> & { names: string; isDefault: boolean }

const draftOf = (profile?: Profile): Draft => ({
  name: profile?.name ?? '',
  address: profile?.address ?? '',
  clia: profile?.clia ?? '',
  director: profile?.director ?? '',
  timeZone: profile?.timeZone ?? '',
  names: profile?.names.join('\n') ?? '',
  isDefault: profile?.isDefault ?? false,
})

function profileOf({ names, isDefault, ...texts }: Draft): Profile {
  const { name, address, clia, director, timeZone } = texts
  return {
    name,
    address,
    isDefault,
    ...(clia && { clia }),
    ...(director && { director }),
    ...(timeZone && { timeZone }),
    names: names
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  }
}

/** The form of a laboratory's profile. */
export function EditLaboratory({ label, profile, save }: EditLaboratoryProps) {
  const [draft, setDraft] = useState(() => draftOf(profile))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <ConfirmButton
      label={label}
      variant={profile ? 'default' : 'filled'}
      sentence={t('Reports that come in from now on say this of the laboratory.')}
      action={async () => {
        await save(profileOf(draft))
        if (!profile) setDraft(draftOf())
      }}
      done={t('{name} is saved', { name: draft.name })}
    >
      <Stack gap="sm">
        {fields.map(([key, name, maxLength]) => (
          <TextInput
            key={key}
            label={name}
            required={key === 'name' || key === 'address'}
            maxLength={maxLength}
            value={draft[key]}
            onChange={(event) => change({ [key]: event.currentTarget.value })}
            autoComplete="off"
          />
        ))}
        <Textarea
          label={t('What messages call it')}
          description={t('One name a line')}
          autosize
          minRows={2}
          value={draft.names}
          onChange={(event) => change({ names: event.currentTarget.value })}
        />
        <Switch
          label={t('Results for kits that name no laboratory are of this one')}
          checked={draft.isDefault}
          onChange={(event) => change({ isDefault: event.currentTarget.checked })}
        />
      </Stack>
    </ConfirmButton>
  )
}
