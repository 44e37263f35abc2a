import { Button, FileButton, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { AcceptedReports, type LabAnswer } from './accepted-results.tsx'
import { PanelEntry } from './panel-entry.tsx'

const EXAMPLE = '{"kitID": "K…", "results": [{"name": "LDL", "value": 96, "unit": "mg/dL"}]}'

type Way = 'panel' | 'message'

/** Enters results by hand, where a laboratory has no connection yet or a message was lost. */
export function ResultsPage() {
  const [way, setWay] = useState<Way>('panel')
  const [answer, setAnswer] = useState<LabAnswer>()
  return (
    <Stack maw={880}>
      <PageHeader
        title={t('Enter results')}
        sentence={t(
          'Value by value as the panel has them, or the message of a laboratory. Results that are sent twice count once.',
        )}
      />
      <SegmentedControl
        aria-label={t('How to enter them')}
        value={way}
        onChange={(next) => setWay(next)}
        data={[
          { value: 'panel', label: t('By panel') },
          { value: 'message', label: t('As a message') },
        ]}
        maw={320}
      />
      {way === 'panel' ? <PanelEntry onSent={setAnswer} /> : <Message onSent={setAnswer} />}
      {answer && <AcceptedReports answer={answer} />}
    </Stack>
  )
}

function Message({ onSent }: { onSent: (answer: LabAnswer | undefined) => void }) {
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const send = async () => {
    setBusy(true)
    setError(undefined)
    onSent(undefined)
    try {
      const response = await fetchRaw(undefined, '/operator/v1/lab/results', {
        method: 'POST',
        headers: { 'Content-Type': contentTypeOf(text) },
        body: text,
      })
      onSent((await response.json()) as LabAnswer)
      setText('')
      await cache.invalidateQueries({ queryKey: [''] })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }

  return (
    <Stack>
      <Textarea
        label={t('The message')}
        description={t('JSON, HL7 v2 (ORU^R01) or FHIR R4; the format is detected from the content.')}
        placeholder={EXAMPLE}
        autosize
        minRows={10}
        maxRows={24}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        spellCheck={false}
      />
      <Group>
        <Button onClick={() => void send()} loading={isBusy} disabled={text.trim() === ''}>
          {t('Send')}
        </Button>
        <FileButton
          accept=".json,.hl7,.txt,.fhir"
          onChange={(file) => file && void file.text().then((content) => setText(content))}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="upload" />}>
              {t('Load from a file')}
            </Button>
          )}
        </FileButton>
      </Group>
      {error !== undefined && <ErrorAlert error={error} />}
    </Stack>
  )
}

/** The content type of a message, detected from its beginning. */
function contentTypeOf(text: string): string {
  const start = text.trimStart()
  if (!start.startsWith('{')) return 'application/hl7-v2'
  return /"resourceType"\s*:/.test(start) ? 'application/fhir+json' : 'application/json'
}
