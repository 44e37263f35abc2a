import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { reviewedBy } from './person-text.tsx'

const pictures = [
  { value: 'leaflet', label: t('The leaflet') },
  { value: 'wash', label: t('Washing hands') },
  { value: 'sample', label: t('Taking the sample') },
  { value: 'label', label: t('The label') },
  { value: 'post', label: t('Posting it') },
  { value: 'none', label: t('No picture') },
] as const
type Picture = (typeof pictures)[number]['value']
interface Step {
  picture: Picture
  text: string
}

const FIRST: Step[] = [{ picture: 'leaflet', text: t('Read the leaflet in the box first.') }]

/** How the sample of a panel is taken, as its person reads it. */
export function PanelInstructions({ kitType, name }: { kitType: string; name: string }) {
  const texts = useRead('/operator/v1/panels/{kitType}/texts', { params: { path: { kitType } } })
  const [current] = texts.data ?? []
  if (!texts.data) return null
  return <Instructions key={current?.version ?? 0} kitType={kitType} name={name} text={current?.text} />
}

interface InstructionsProps {
  kitType: string
  name: string
  text: { steps: Step[]; source: string; reviewer: string | null } | undefined
}

function Instructions({ kitType, name, text }: InstructionsProps) {
  const write = useWrite('post', '/operator/v1/panels/{kitType}/texts')
  const [steps, setSteps] = useState<Step[]>(text?.steps ?? FIRST)
  const [source, setSource] = useState(text?.source ?? '')
  const [reviewer, setReviewer] = useState(text?.reviewer ?? '')
  const [reason, setReason] = useState('')
  const change = (at: number, step: Step) => setSteps(steps.map((one, index) => (index === at ? step : one)))
  const body = {
    reason: reason.trim(),
    text: {
      steps: steps.filter(({ text }) => text.trim() !== ''),
      source: source.trim(),
      reviewer: reviewer.trim() || null,
    },
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm">
        {text ? t('{count, plural, one {# step} other {# steps}}', { count: text.steps.length }) : t('None')}
      </Text>
      <ConfirmButton
        label={t('Change steps')}
        size="compact-xs"
        sentence={`${t('How the sample of {name} is taken, as the person reads it.', { name })} ${reviewedBy(text?.reviewer ?? null)}`}
        action={() => write.mutateAsync({ params: { path: { kitType } }, body })}
        done={t('A new version was created')}
      >
        <Stack gap="sm">
          {steps.map((step, index) => (
            <Stack key={index} gap={4}>
              <Select
                label={t('Picture of step {number}', { number: index + 1 })}
                allowDeselect={false}
                data={[...pictures]}
                value={step.picture}
                onChange={(picture) => picture && change(index, { ...step, picture })}
              />
              <Textarea
                label={t('Step {number}', { number: index + 1 })}
                description={t('Left empty, it is taken out')}
                autosize
                maxLength={400}
                value={step.text}
                onChange={(event) => change(index, { ...step, text: event.currentTarget.value })}
              />
            </Stack>
          ))}
          <Button variant="default" onClick={() => setSteps([...steps, { picture: 'none', text: '' }])}>
            {t('Add a step')}
          </Button>
          <TextInput
            label={t('Source')}
            required
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
          />
          <TextInput
            label={t('Reviewed by')}
            description={t('The clinician; empty: nobody yet')}
            value={reviewer}
            onChange={(event) => setReviewer(event.currentTarget.value)}
          />
          <TextInput
            label={t('Reason')}
            required
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </ConfirmButton>
    </Group>
  )
}
