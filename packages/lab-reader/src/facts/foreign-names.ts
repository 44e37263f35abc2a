import { fartherNames } from './farther-names.ts'

const names: Record<string, string> = {
  hba1c:
    'hämoglobin a1c,langzeitzucker,hémoglobine glyquée,hémoglobine a1c,hemoglobina glicosilada,hemoglobina glucosilada,hemoglobina glicada,hemoglobina a1c,emoglobina glicata,emoglobina glicosilata,hæmoglobin a1c',
  glucose:
    'glukose,nüchternglukose,glukose nüchtern,glucose nüchtern,glycémie,glycémie à jeun,glucose à jeun,glucosa,glucosa en ayunas,glucemia,glucemia basal,glucosa basal,glicemia basal,glucosio basale,glucosio,glicemia,glicemia a digiuno,glicose,glicemia de jejum,glicose em jejum,glukos,glucose nuchter',
  insulin: 'insuline,insulina,insulinémie,insulinemia',
  c_peptide: 'c-peptid,peptide c,péptido c,peptido c',
  urea: 'ureia,ureum,karbamid',
  uric_acid: 'harnsäure,acide urique,uricémie,ácido úrico,acido urico,uricemia,urat,urinsyre,urinezuur,urinsyra',
  cortisol: 'kortisol,cortisolo',
  vitamin_d:
    '25-oh-vitamin d,25-oh-vitamin d3,25-hydroxyvitamin d,vitamin d (25-oh),vitamine d 25-oh,25-oh vitamine d,25-hydroxyvitamine d,vitamina d 25-oh,25-oh vitamina d,25-hidroxivitamina d,25-idrossivitamina d,vitamina d,vitamine d',
  ferritin: 'ferritine,ferritina,ferritinémie',
  iron: 'eisen,fer,fer sérique,hierro,hierro sérico,ferro,sideremia,jern,ferro sérico,ijzer,järn',
  tibc: 'totale eisenbindungskapazität,capacité totale de fixation du fer,capacidad total de fijación de hierro,capacità totale legante il ferro',
  transferrin_saturation:
    'transferrinsättigung,saturation de la transferrine,coefficient de saturation de la transferrine,saturación de transferrina,saturazione della transferrina,saturazione transferrina,transferrinmætning',
  vitamin_b12: 'vitamine b12,vitamina b12,cobalamine,cobalamina,b12-vitamin',
  folate:
    'folsäure,folat,folates,folates sériques,acide folique,vitamine b9,ácido fólico,folato,acido folico,folati,foliumzuur',
  magnesium: 'magnésium,magnesio',
  zinc: 'zink,zinco',
  total_cholesterol:
    'cholesterin,gesamtcholesterin,cholesterin gesamt,cholestérol total,cholestérol,colesterol total,colesterol,colesterolo totale,colesterolo,kolesterol total,kolesterol,cholesterol totaal,totaal cholesterol,totalkolesterol',
  hdl: 'hdl-cholesterin,cholestérol hdl,hdl cholestérol,colesterol hdl,colesterolo hdl,hdl-kolesterol',
  ldl: 'ldl-cholesterin,cholestérol ldl,ldl cholestérol,colesterol ldl,colesterolo ldl,ldl-kolesterol',
  triglycerides:
    'triglyceride,triglyzeride,triglycérides,triglicéridos,trigliceridi,triglycerider,triglicerídeos,triglicérides,triglyceriden,triglycerid',
  vldl: 'vldl-cholesterin,cholestérol vldl,colesterol vldl,colesterolo vldl,vldl-kolesterol',
  non_hdl: 'non-hdl-cholesterin,cholestérol non hdl,colesterol no hdl,colesterolo non hdl,non-hdl-kolesterol',
  apo_a1: 'apolipoprotéine a1,apolipoproteína a1,apolipoproteina a1',
  apo_b: 'apolipoprotéine b,apolipoproteína b,apolipoproteina b',
  lp_a: 'lipoprotéine (a),lipoproteína (a),lipoproteina (a)',
  hs_crp:
    'crp hochsensitiv,hochsensitives crp,crp ultrasensible,crp us,pcr ultrasensible,pcr ultrasensibile,pcr alta sensibilidad,højsensitiv crp',
  crp: 'protéine c réactive,proteína c reactiva,proteina c reattiva,proteína c reativa',
  homocysteine: 'homocystein,homocystéine,homocisteína,omocisteina',
  ige_total: 'gesamt-ige,ige gesamt,ige totale,ige totales,ige totali,totaal ige',
  esr: 'bsg,blutsenkung,blutkörperchensenkungsgeschwindigkeit,vitesse de sédimentation,velocidad de sedimentación,velocidad de sedimentación globular,vsg,velocità di eritrosedimentazione,ves,sænkningsreaktion,bezinking,sänkningsreaktion',
  fibrinogen: 'fibrinogène,fibrinógeno,fibrinogeno',
  total_testosterone:
    'testosteron,testosteron gesamt,testostérone,testostérone totale,testosterona,testosterona total,testosterone totale',
  free_testosterone: 'freies testosteron,testostérone libre,testosterona libre,testosterone libera,frit testosteron',
  shbg: 'sexualhormonbindendes globulin,sexualhormon-bindendes globulin',
  estradiol: 'östradiol,œstradiol,oestradiol,estradiolo,østradiol',
  progesterone: 'progesteron,progestérone,progesterona',
  fsh: 'follikelstimulierendes hormon,hormone folliculo-stimulante,hormona foliculoestimulante,ormone follicolo-stimolante',
  lh: 'luteinisierendes hormon,hormone lutéinisante,hormona luteinizante,ormone luteinizzante',
  prolactin: 'prolaktin,prolactine,prolactina,prolattina',
  amh: 'anti-müller-hormon,hormone anti-müllérienne,hormona antimülleriana,ormone antimülleriano',
  dhea_s: 'dhea-sulfat,sulfate de dhea,dhea sulfate,dhea-sulfato,sulfato de dhea,dhea solfato',
  psa: 'psa gesamt,psa total,psa totale,prostataspezifisches antigen,antigène prostatique spécifique,antígeno prostático específico,antigene prostatico specifico',
  tsh: 'tsh basal,tsh ultrasensible,thyreotropin,thyréostimuline,tirotropina,tireotropina',
  free_t4:
    'freies t4,freies thyroxin,t4 frei,t4 libre,thyroxine libre,tiroxina libre,t4 libera,ft4 libera,tiroxina libera,t4 frit,frit t4,t4 livre,vrij t4,t4 fritt,fritt t4',
  free_t3:
    'freies t3,freies trijodthyronin,t3 frei,t3 libre,triiodothyronine libre,triyodotironina libre,t3 libera,triiodotironina libera,t3 frit,frit t3',
  tpo_ab: 'tpo-antikörper,anti-tpo,anticorps anti-tpo,anticuerpos anti-tpo,anticorpi anti-tpo,tpo-antistof',
  tg_ab:
    'thyreoglobulin-antikörper,anti-tg,anticorps anti-thyroglobuline,anticuerpos anti-tiroglobulina,anticorpi anti-tireoglobulina',
  alt: 'alat,gpt,gpt (alt),alt (gpt),alat (gpt),gpt (alat),alat (sgpt),alat (tgp),tgp,sgpt,transaminases sgpt',
  ast: 'asat,got,got (ast),ast (got),asat (got),got (asat),asat (sgot),asat (tgo),tgo,sgot,transaminases sgot',
  alp: 'alkalische phosphatase,phosphatases alcalines,phosphatase alcaline,fosfatasa alcalina,fosfatasi alcalina,basisk fosfatase,fosfatase alcalina,alkalische fosfatase',
  ggt: 'gamma-gt,γ-gt,gamma gt,ggt (gamma-gt),gama gt,gama-glutamil transferase',
  bilirubin_total:
    'bilirubin gesamt,gesamtbilirubin,bilirubine totale,bilirrubina total,bilirubina totale,bilirubin total,bilirubine totaal,totaal bilirubine',
  bilirubin_direct:
    'direktes bilirubin,bilirubin direkt,bilirubine directe,bilirubine conjuguée,bilirrubina directa,bilirubina diretta',
  albumin: 'albumine,albúmina,albumina,albuminémie',
  total_protein:
    'gesamteiweiß,gesamteiweiss,gesamtprotein,protéines totales,protides totaux,proteínas totales,proteine totali,protein total,proteínas totais,totaal eiwit,totaalprotein',
  globulin: 'globuline,globulines,globulinas',
  creatinine: 'kreatinin,creatinin,créatinine,créatininémie,creatinina,creatininemia,kreatinine',
  bun: 'harnstoff-n,harnstoff-stickstoff,azote uréique,nitrógeno ureico,azoto ureico,karbamid-n',
  egfr: 'egfr,gfr,dfg,dfg estimé,débit de filtration glomérulaire,filtrado glomerular,filtrado glomerular estimado,filtrato glomerulare',
  cystatin_c: 'cystatine c,cistatina c',
  sodium: 'natrium,sodio',
  potassium: 'kalium,potasio,potassio',
  chloride: 'chlorid,chlore,chlorure,chlorures,cloruro,cloro,cloruri,klorid',
  co2: 'bikarbonat,bicarbonates,bicarbonato,bicarbonati',
  calcium: 'kalzium,calcémie,calcio,calcemia,kalcium',
  phosphorus: 'phosphat,anorganisches phosphat,phosphor,phosphore,fósforo,fosforo,fosfat,fosfaat,anorganisch fosfaat',
  wbc: 'leukozyten,leucocytes,globules blancs,leucocitos,leucociti,globuli bianchi,leukocytter,leucócitos,leukocyten,leukocyter',
  rbc: 'erythrozyten,hématies,érythrocytes,globules rouges,hematíes,eritrocitos,eritrociti,globuli rossi,erytrocytter,hemácias,erytrocyten,erytrocyter',
  hemoglobin: 'hämoglobin,hémoglobine,hemoglobina,emoglobina,hæmoglobin',
  hematocrit: 'hämatokrit,hématocrite,hematocrito,ematocrito,hæmatokrit,hematocriet,evf',
  mcv: 'vgm,vcm,volume globulaire moyen,volumen corpuscular medio,volume corpuscolare medio',
  mch: 'tcmh,hcm,hemoglobina corpuscular media,contenuto medio emoglobina',
  mchc: 'ccmh,chcm,concentración de hemoglobina corpuscular media',
  platelets: 'thrombozyten,plaquettes,plaquetas,piastrine,trombocytter,trombociti,trombocitos,trombocyten,trombocyter',
  mpv: 'vpm,mittleres thrombozytenvolumen,volume plaquettaire moyen,volumen plaquetario medio',
  neutrophils_abs:
    'neutrophile absolut,polynucléaires neutrophiles,neutrófilos absolutos,neutrofili assoluti,neutrofilocytter',
  lymphocytes_abs: 'lymphozyten absolut,linfocitos absolutos,linfociti assoluti,lymfocytter',
  monocytes_abs: 'monozyten absolut,monocitos absolutos,monociti assoluti,monocytter',
  eosinophils_abs:
    'eosinophile absolut,polynucléaires éosinophiles,eosinófilos absolutos,eosinofili assoluti,eosinofilocytter',
  cd4_abs: 'cd4 absolu,cd4 absolut,cd4 absolutos,cd4 assoluti',
  hbsag: 'antigène hbs,ag hbs,aghbs,antígeno hbs,antigene hbs,antigen hbs',
  treponema_pallidum_antibody: 'syphilis tpha,tpha,syphilis (tpha)',
  basophils_abs: 'basophile absolut,polynucléaires basophiles,basófilos absolutos,basofili assoluti,basofilocytter',
}

/** What reports in other languages than English call a biomarker. */
export const foreignNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set([...Object.keys(names), ...Object.keys(fartherNames)])].map((id) => [
    id,
    [...(names[id]?.split(',') ?? []), ...(fartherNames[id] ?? [])],
  ]),
)
