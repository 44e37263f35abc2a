import type { components } from '@kitlane/client'
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { Problem } from '../../api/problem.ts'
import { dataUrlOf } from '../../components/data-url.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { TriedLayout } from './tried-layout.tsx'

type Template = components['schemas']['LayoutVersion']['template']

const EXAMPLE = {
  name: t('Example laboratory'),
  format: 'pdf',
  recognisedBy: [t('Example laboratory'), t('Results of your blood test')],
  columns: [
    { heading: t('Measured quantity'), is: 'name' },
    { heading: t('Found'), is: 'value' },
    { heading: t('Measured in'), is: 'unit' },
    { heading: t('Expected'), is: 'range' },
  ],
  ignoredLines: [],
  endTitles: [],
  dayOrder: 'day-first',
  decimalSign: ',',
  labels: { collected: t('Taken on') },
} satisfies Template

/** A template as JSON, which is tried on a file and saved as a new version. */
export function LayoutEditor({ template }: { template: Template | undefined }) {
  const save = useWrite('post', '/operator/v1/layout-templates')
  const attempt = useWrite('post', '/operator/v1/layout-templates/try')
  const [text, setText] = useState(() => JSON.stringify(template ?? EXAMPLE, null, 2))
  const again = useRef<() => void>(null)
  const [error, setError] = useState<unknown>()

  /** The service checks the template, and says each mistake in words. */
  const withTemplate = async (act: (template: Template) => Promise<unknown>) => {
    setError(undefined)
    try {
      await act(parsed(text))
    } catch (failure) {
      setError(failure)
    }
    again.current?.()
  }
  const tryOn = (file: File | null) =>
    file &&
    withTemplate(async (draft) => attempt.mutateAsync({ body: { template: draft, fileBlob: await dataUrlOf(file) } }))
  const saved = save.data

  return (
    <Section title={template ? t('Change {name}', { name: template.name }) : t('Write a template')}>
      <Stack>
        <Textarea
          label={t('The template, as JSON')}
          description={t('Plain texts, compared without case. docs/layouts.md explains each field.')}
          autosize
          minRows={10}
          maxRows={28}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          spellCheck={false}
        />
        <Group>
          <FileButton resetRef={again} onChange={(file) => void tryOn(file)} accept=".pdf,.csv,.txt">
            {(props) => (
              <Button {...props} variant="default" loading={attempt.isPending}>
                {t('Try it on a file')}
              </Button>
            )}
          </FileButton>
          <Button
            loading={save.isPending}
            onClick={() => void withTemplate((draft) => save.mutateAsync({ body: draft }))}
          >
            {t('Save as a new version')}
          </Button>
        </Group>
        <div aria-live="polite">
          {error !== undefined && <ErrorAlert error={error} />}
          {saved && error === undefined && (
            <Text>
              {t('Version {version} of {name} is saved and counts.', { version: saved.version, name: saved.name })}
            </Text>
          )}
        </div>
        {attempt.data && error === undefined && <TriedLayout tried={attempt.data} />}
      </Stack>
    </Section>
  )
}

function parsed(text: string): Template {
  try {
    return JSON.parse(text) as Template
  } catch (failure) {
    throw new Problem(0, {}, t('This is not JSON: {message}', { message: (failure as Error).message }))
  }
}
