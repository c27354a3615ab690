/**
 * Words of one subject, one subject in each line: first the words that tools of the subject have in their names and descriptions, the most
 * telling one first, and after the colon words by which people ask for it. Written for this library.
 */
export const subjects = `
weather forecast temperature climate: sunny rain rainy raining rainfall snow snowing snowfall storm thunderstorm lightning hurricane tornado typhoon cyclone wind windy breeze cloudy overcast fog humidity humid degrees celsius fahrenheit hot cold warm chilly freezing frost heatwave umbrella raincoat jacket sunrise sunset uv barometer precipitation drizzle hail blizzard drought monsoon meteorology meteorological
flight airline travel airport: fly flying plane airplane aircraft jet airfare boarding departure arrival takeoff landing layover stopover nonstop runway terminal gate luggage baggage passenger pilot airways aviation itinerary roundtrip economy lax jfk heathrow
hotel accommodation travel booking: inn hostel motel resort lodge lodging suite overnight checkin checkout guest airbnb bnb villa cottage cabin room stay vacation getaway amenities nightly hospitality concierge
travel trip tour destination: vacation holiday honeymoon getaway itinerary sightseeing backpacking tourist tourism traveler abroad overseas cruise excursion journey visa passport island museum landmark attraction backpack roadtrip safari explore visit adventure souvenir destination guidebook
train transit transport railway: rail railway subway metro tram bus station commute commuter timetable fare platform locomotive amtrak ferry shuttle carpool ride public
map location route navigation geocode: directions drive driving walking street road avenue highway intersection nearest nearby near closest around gps latitude longitude coordinates address route detour traffic neighborhood district landmark navigate distance miles kilometers zipcode
place location business: nearby venue cafe shop store mall park gym pharmacy salon bakery bar pub club museum library
restaurant food dining reservation: dinner lunch breakfast brunch supper eat eating hungry meal cuisine table chef menu takeout delivery pizza sushi burger steak seafood buffet bistro cafe diner vegan vegetarian gluten appetizer dessert waiter michelin
recipe food cooking ingredient: cook bake baking roast grill fry boil dish dinner lunch breakfast dessert cake cookie bread pasta soup salad sauce chicken beef pork fish shrimp salmon tofu rice noodle potato tomato onion garlic cheese butter egg flour sugar spice herb vegetable fruit vegan vegetarian gluten kitchen oven cuisine leftover pantry
nutrition diet calorie health: calories protein carbs carbohydrate fat fiber sugar vitamin mineral keto vegan vegetarian macro meal eating weight bmi snack intake cholesterol sodium healthy obesity
drink cocktail beverage: wine beer whiskey vodka rum gin coffee tea espresso latte juice smoothie bartender brewery mocktail liquor alcohol alcoholic margarita
grocery shopping product: supermarket groceries produce dairy milk bread eggs cart aisle pantry
health medical disease: symptom fever cough headache pain ache flu cold infection allergy asthma diabetes cancer tumor heart stroke blood pressure injury wound rash nausea fatigue illness sick diagnosis diagnose treatment therapy therapist cure vaccine vaccination covid virus pandemic hospital clinic doctor nurse patient surgeon surgery pregnancy pregnant physician medicine wellness
doctor appointment medical clinic: dentist physician surgeon specialist pediatrician dermatologist cardiologist therapist psychiatrist checkup consultation hospital nurse patient physiotherapy
drug medicine medication pharmacy: pill tablet dose dosage prescription antibiotic painkiller ibuprofen aspirin paracetamol insulin vaccine pharmacist pharmacy side pharmaceutical
fitness exercise workout: gym running run jog jogging yoga pilates cardio strength muscle abs biceps squat pushup stretching marathon cycling swim swimming weightlifting treadmill dumbbell trainer training lose weight steps athlete
sleep health: insomnia nap bedtime snoring dream asleep
mental meditation health: stress anxiety depression mindfulness meditate relax relaxation mood emotion therapy therapist psychology psychological burnout wellbeing calm breathing
stock finance market price: share shares equity ticker nasdaq nyse dow index dividend bull bear trader trading trade broker earnings ipo portfolio etf hedge fund wall quote valuation apple tesla microsoft google amazon nvidia
crypto cryptocurrency bitcoin blockchain price: btc eth ethereum dogecoin litecoin solana token coin wallet mining miner defi nft exchange binance coinbase altcoin stablecoin ledger satoshi web3 gas
currency exchange convert money: dollar euro yen pound peso rupee yuan franc usd eur gbp jpy forex fx cash
finance financial investment money: invest investor investing savings retirement pension interest bond mutual fund asset wealth budget income expense debt loan credit revenue profit earnings roi capital inflation economy economic bank banking accountant dividend portfolio treasury
bank account payment transfer: deposit withdraw withdrawal balance transaction debit credit card checking savings iban wire atm overdraft statement branch remittance paypal venmo
payment invoice billing checkout: pay paid bill billing charge refund receipt card stripe paypal subscription fee installment due overdue checkout
loan mortgage interest calculator: borrow lender lending refinance installment amortization repayment principal downpayment interest emi credit
tax income calculator: irs deduction filing refund vat gst taxable withholding bracket
insurance policy claim quote: premium insurer insure coverage deductible insured claim liability underwriting
budget expense finance: spending spend savings save expenses costs afford affordable frugal money bill
shopping product store buy: purchase order cart checkout amazon ebay walmart retailer mall brand price cheap cheapest discount deal sale bargain laptop phone shoes dress clothes tv camera furniture appliance electronics gift wishlist shipping sell seller merchandise catalog buyer online
discount coupon deal: promo voucher cheap cheaper cheapest bargain sale save saving clearance offer rebate code cashback
product review rating: opinion compare comparison best quality pros cons feedback testimonial stars reviewer
gift shopping: birthday anniversary wedding christmas valentine present surprise gifting
fashion clothing style outfit: dress shirt pants jeans skirt jacket coat suit shoe sneaker boots heels hat scarf wardrobe wear wearing trend stylish designer apparel accessory jewelry necklace earring handbag garment tailor
beauty cosmetic makeup: skin skincare lipstick mascara foundation hair haircut hairstyle salon nail manicure perfume fragrance moisturizer acne
house property estate home: apartment condo flat bathroom garage kitchen realtor rent rental lease tenant landlord mortgage sqft square neighborhood zillow housing residence residential building villa mansion studio furnished homeowner
rent rental lease: tenant landlord renting monthly deposit furnished sublet renter
furniture home decor: sofa couch table chair desk bed mattress lamp shelf cabinet curtain rug carpet interior decorate decoration renovate renovation kitchen bathroom
car vehicle automobile: drive driver driving truck suv sedan van motorcycle engine tire mileage fuel dealership toyota honda ford bmw tesla electric charging garage mechanic license plate vin auto automotive rental parking horsepower
fuel gas petrol price: diesel refuel pump station mpg oil
parking car location: park garage lot meter
taxi ride cab: uber lyft driver pickup dropoff chauffeur carpool rideshare
delivery shipping package track: ship shipment parcel courier fedex ups dhl usps freight cargo logistics tracking mail postage deliver delivered carrier warehouse
order purchase: buy bought ordered checkout cart ship delivery
music song artist: listen playlist album track singer band musician lyrics melody tune genre pop rock jazz rap hiphop classical concert guitar piano drum violin spotify soundtrack radio beat compose composer vocal chord karaoke billboard dj remix
playlist music song: songs tracks mix shuffle queue spotify
concert event ticket: gig show festival tour live band performance venue broadway theater theatre musical opera
podcast audio episode: listen host series show
movie film cinema: watch actor actress director imdb netflix hollywood oscar thriller comedy drama horror scifi romance trailer theater theatre screening sequel plot cast documentary anime blockbuster franchise streaming screenplay
tv show series streaming: episode season watch netflix hulu channel broadcast sitcom anime program binge television
actor celebrity person: actress star famous hollywood filmography cast director
video youtube clip: watch channel footage film record recording movie stream vlog subtitle caption tiktok mp4 edit trailer webcam youtuber reel
image picture photo: photograph photography photographer camera snapshot selfie portrait wallpaper png jpg jpeg gif pixel visual draw drawing illustration artwork paint painting render sketch logo poster banner thumbnail icon dalle meme screenshot background
art artwork painting museum: artist draw drawing sketch sculpture gallery picasso monet canvas exhibit exhibition masterpiece portrait illustration craft
design logo graphic: poster banner flyer layout mockup template brochure branding infographic prototype ui ux figma canva
camera photo: photography lens aperture shutter exposure portrait shoot
color palette: hex rgb hue shade red blue green yellow purple pink orange tint gradient
book novel library author: read reading literature bestseller fiction nonfiction chapter writer isbn goodreads publisher kindle ebook bookstore memoir biography textbook genre story
quote inspiration: saying motivational inspirational proverb wisdom motivation motivate famous
joke humor funny: laugh comedy pun humorous amusing hilarious meme riddle
trivia quiz question fact: interesting knowledge facts guess curious
poem story writing generate: poetry poet rhyme verse haiku tale fairy narrative fiction plot novel essay character
game gaming player: play playing gamer xbox playstation nintendo steam console esports level puzzle chess poker card dice board multiplayer rpg minecraft fortnite quest strategy dungeon crossword
chess game: checkmate pawn knight bishop rook queen opening grandmaster
lottery random number: jackpot lotto dice lucky raffle roll draw coin flip winning powerball
sport match team score: football soccer basketball baseball tennis cricket hockey golf rugby nba nfl mlb nhl fifa uefa league season tournament championship playoffs olympics athlete player coach goal referee fixture standings stadium win winner lose final cup premier boxing ufc f1 formula race racing volleyball swimming badminton
team sport player: roster squad coach club lineup league franchise
bet odds sport: betting gambling wager bookmaker casino handicap sportsbook
race car formula: f1 driver grand prix lap nascar circuit championship
horoscope zodiac astrology: aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces sign tarot fortune birth chart numerology
dating relationship love: date romance romantic partner girlfriend boyfriend marriage wedding crush couple compatibility single tinder match
wedding event plan: bride groom marry marriage ceremony engagement reception
news article headline: journalist journalism reporter breaking politics politician election headlines press newspaper latest events current story coverage media bbc cnn times recent update
politics government election: president senator congress parliament minister vote voter voting democrat republican candidate campaign policy bill legislation law senate governor mayor political
law legal court: lawyer attorney lawsuit judge sue contract legislation statute criminal crime rights divorce custody patent copyright trademark regulation compliance litigation verdict case plaintiff defendant sentence prison
crime police security: criminal theft murder robbery arrest offender suspect detective emergency
patent trademark intellectual: invention inventor copyright
history historical event: war ancient century empire king queen medieval revolution past wwii civilization dynasty timeline anniversary era
science research: scientist physics chemistry biology experiment laboratory theory scientific astronomy geology discovery quantum
chemistry molecule compound: chemical element atom molecular reaction formula acid periodic solution molar
physics calculate: velocity speed acceleration force mass energy gravity momentum motion electric magnetic voltage resistance current kinetic potential newton joule
biology gene protein: dna rna cell genome genetic species organism bacteria mutation enzyme evolution sequence
space astronomy nasa planet: galaxy star moon mars sun asteroid comet satellite rocket telescope orbit astronaut universe cosmos solar eclipse nebula spacex launch meteor constellation earth
earthquake disaster alert: seismic quake tsunami volcano eruption flood wildfire landslide magnitude hurricane evacuation emergency
environment climate carbon: pollution emission greenhouse sustainability recycle recycling renewable footprint co2 ecosystem biodiversity deforestation conservation aqi ozone
air quality pollution: aqi smog pm2 particulate ozone pollen
energy electricity power: solar wind watt kilowatt battery electric renewable utility grid bill turbine nuclear
animal pet dog cat: puppy kitten breed bird fish horse rabbit hamster turtle lizard snake wildlife zoo species veterinarian vet elephant lion tiger bear mammal reptile fur adopt adoption paw
plant garden flower: gardening tree seed soil watering grow houseplant botanical rose tulip herb vegetable lawn fertilizer bloom leaf orchid crop
farm agriculture crop: farmer farming harvest soil irrigation livestock wheat corn cattle tractor fertilizer yield
ocean sea tide: surf wave fishing marine boat sail coast diving
ship vessel port: boat maritime sail cruise cargo harbor yacht
email mail message send: gmail outlook inbox recipient subject attachment newsletter reply forward compose draft spam sender cc bcc correspondence smtp unread
message chat sms send: text whatsapp telegram messenger slack discord conversation dm reply notify texting channel talk
call phone telephone contact: dial ring voicemail number mobile cellphone smartphone caller
contact address person: phonebook friend colleague phone email card
notification alert reminder: notify remind alarm ping push warn warning announce
reminder schedule alarm task: remind forget remember deadline due tomorrow tonight later timer wake birthday
calendar event schedule meeting: appointment agenda availability invite rsvp monday tuesday wednesday thursday friday saturday sunday tomorrow weekend reschedule booking busy date deadline slot conference upcoming
meeting conference calendar: zoom teams webex attendee participant agenda minutes standup webinar invite videoconference
task project management: todo assign assignee deadline milestone sprint backlog kanban jira trello asana priority progress checklist workflow team productivity board ticket due
note memo document: write jot notebook evernote notion journal diary record
habit goal productivity: routine motivation streak resolution discipline procrastination focus
social media post: facebook instagram twitter tweet tiktok linkedin snapchat reddit pinterest follower following hashtag influencer viral share feed profile like comment caption story thread subreddit upvote
twitter tweet social: tweets retweet hashtag follower x
post publish content: blog article share upload caption
blog article content writing: blogger post wordpress copy copywriting copywriter headline draft essay paragraph
write text generate content: essay letter paragraph draft compose author copy blog article script speech rewrite paraphrase wording sentence proofread slogan caption bio
grammar spelling text check: proofread typo spell punctuation sentence correct mistake error
translate language translation: english spanish french german chinese japanese korean italian portuguese russian arabic hindi latin dutch translator translating multilingual foreign speak say bilingual
language learn vocabulary: fluent pronunciation pronounce conversation speaking phrase idiom tutor lesson practice spanish french native
dictionary word definition: meaning mean define synonym antonym thesaurus pronunciation etymology rhyme term vocabulary spelling
summarize summary text: shorten condense brief tldr key points recap gist abstract outline highlights digest
sentiment analysis text: opinion emotion positive negative tone feeling mood attitude
text analysis language: nlp keyword entity sentiment classify classification extract token parse paragraph sentence
paper research academic: arxiv journal publication study scholar citation cite author thesis abstract literature scientific peer pubmed doi scholarly professor
education course learn school: student teacher class lesson study tutorial university college degree exam homework assignment curriculum training lecture teach professor classroom learning coding bootcamp mooc coursera udemy skill grade semester campus scholarship quiz tutor pupil
university college school: admission campus degree student tuition scholarship ranking major graduate undergraduate harvard stanford enrollment
exam test quiz: question practice score grade answer study assessment
math calculate equation: mathematics algebra geometry calculus derivative integral fraction percent percentage multiply divide subtract sum solve formula arithmetic trigonometry matrix polynomial root square cube factorial prime number calculator logarithm quadratic probability triangle circle radius area perimeter volume hypotenuse
calculate calculator compute: sum total average percentage much many multiply divide plus minus rate ratio estimate difference
geometry area shape: triangle circle rectangle square radius diameter perimeter volume length width height sphere cylinder angle hypotenuse circumference
statistics probability data: mean median mode variance deviation regression correlation distribution sample hypothesis average percentile outlier binomial normal
number integer math: digit prime factor odd even binary divisor gcd lcm factorial fibonacci
convert unit measurement: kilometer mile meter foot feet inch pound kilogram gram ounce liter celsius fahrenheit cup tablespoon acre hectare centimeter yard conversion
time timezone date clock: hour minute second utc gmt est pst clock now today tomorrow yesterday noon midnight zone
date calendar day: week month year today tomorrow yesterday weekday leap holiday duration days
holiday calendar date: christmas easter thanksgiving hanukkah diwali ramadan festival celebration bank
timer countdown: minutes seconds stopwatch pomodoro
chart graph plot visualize: diagram bar line pie histogram scatter visualization axis dashboard trend curve heatmap bubble
diagram flowchart: mindmap uml mermaid sequence architecture visual whiteboard gantt
data analysis analytics: dataset csv insight metric dashboard report trend statistic visualize analyze kpi analyst
spreadsheet excel sheet: csv cell row column workbook formula pivot table google xlsx
csv data file: comma delimiter column row spreadsheet
pdf document file: page scan contract report brochure merge ebook annotate
document file text: word docx pdf paragraph page report paper contract template letter report
slide presentation: powerpoint ppt deck keynote pitch
file folder directory: path upload download rename copy move delete desktop drive disk storage filename backup txt open save
storage cloud file: drive dropbox bucket s3 backup upload gb disk
read content file: open view show display inside contents
code programming developer: python javascript java typescript c++ rust golang php ruby function script debug compile program programmer software algorithm class variable syntax snippet loop developer coding repository api library refactor bug
github repository git: repo commit branch merge pull push fork clone issue star gist gitlab bitbucket pr codebase contributor
issue bug ticket: error defect crash problem report jira tracker fix broken
test check validate: unit verify assert qa debug coverage
database sql query: table row column record mysql postgres postgresql sqlite mongodb schema select join insert index relational
server cloud deploy: aws azure gcp kubernetes docker container instance vm hosting host cluster node pod lambda linux ssh deployment infrastructure devops ec2 uptime
container docker: image pod kubernetes compose registry
command shell execute: terminal bash run cli console script linux process
process system run: cpu memory kill pid running ram computer machine performance
device hardware computer: laptop phone tablet pc mac windows printer keyboard mouse router bluetooth sensor android iphone
smart home device: light lamp thermostat bulb lock alexa hvac heater switch garage door vacuum fan humidifier camera iot
light lamp smart: brightness dim turn bulb
app software application: install mobile android ios download apk update iphone playstore
website web page url: site link html browser webpage internet online domain http landing visit wordpress homepage
scrape web extract crawl: crawler scraping html website parse page
browser web page: click navigate tab screenshot chrome puppeteer playwright
domain dns website: whois registrar hostname nameserver ssl certificate tld subdomain
seo keyword search ranking: google traffic backlink optimize optimization organic visibility serp rank engine
search web internet: google bing look find information online browse query duckduckgo
advertising ad marketing: campaign audience promote promotion brand conversion click impression sponsor advertiser adwords ppc target commercial
marketing campaign customer: lead brand audience promote promotion newsletter engagement funnel hubspot outreach
customer crm sales: client lead deal pipeline salesforce hubspot prospect account opportunity buyer
sales revenue product: sell sold seller profit selling units
inventory stock product: warehouse quantity sku supply available restock item
customer support ticket: helpdesk complaint service zendesk agent help issue
company business organization: firm startup corporation enterprise ceo founder industry competitor revenue headquarters employees brand corporate
employee hr staff: payroll salary hire hiring leave vacation manager department onboarding worker colleague attendance
job career employment: hiring hire resume cv interview salary vacancy recruiter recruit position opening work linkedin occupation apply candidate remote internship employer freelancer unemployed
resume job: cv cover letter interview career
salary job wage: pay income earn compensation hourly paycheck
password security generate: login strong secure credential authentication hash encrypt
security vulnerability threat: hack hacker malware virus phishing breach exploit cve attack firewall cyber secure ransomware scanner scan penetration malicious suspicious fraud scam leak leaked
encrypt hash cipher: decrypt encryption key md5 sha aes rsa encode decode secret base64
login account user authenticate: signin signup register password username credential logout token auth oauth session verify
user account profile: username member customer register person signup
ip address network: ipv4 ipv6 geolocation subnet ping dns host vpn proxy port isp
network connection internet: wifi router bandwidth speed latency ping vpn port
phone number validate: carrier country mobile lookup sms
qr code barcode: scan scanner generate
url link shorten: short redirect bitly
translate speech voice audio: speak spoken pronounce
speech voice audio: speak talk transcribe transcription microphone record tts sound narration voiceover dictate recording spoken mp3 wav
audio sound music: mp3 wav record noise volume track podcast listen
transcript video speech: transcribe subtitle caption captions
ocr text image: scan scanned handwriting recognize recognition extract
face image detect: facial recognize person identity emotion age
object image detect: detection recognize identify segmentation classify label
model machine learning train: ai neural network deep training classifier regression tensorflow pytorch dataset inference prediction huggingface llm gpt predict finetune
ai chat assistant: chatgpt gpt llm bot chatbot conversation openai agent prompt copilot
prompt ai generate: chatgpt midjourney gpt
memory knowledge store retrieve: remember recall save memorize forget
population country demographic: people inhabitants census residents density capita
country nation capital: flag continent government region border usa china india germany france japan brazil canada
city town location: urban metro mayor district downtown paris london tokyo berlin
state region province: california texas florida york
person name identity: age gender birthday who famous biography born
name generate: baby nickname username surname pseudonym naming
baby child parenting: kid toddler infant newborn parent mother father pregnancy birth diaper nursery
family person: mother father parent son daughter brother sister spouse wife husband kid
religion bible: god church prayer verse quran jesus christian islam muslim hindu buddhist pray mosque temple scripture
charity donation nonprofit: donate volunteer fundraiser fundraising ngo cause relief
event festival activity: party birthday celebration exhibition fair conference happening weekend attend attendance venue host
ticket event booking: seat admission concert show reserve
weather alert warning: severe storm flood hurricane
idea suggest recommend: brainstorm inspiration suggestion creative advice tips
decision compare choose: option pros cons alternative choice versus better
career advice coach: mentor guidance growth
tutorial guide instruction: howto learn step explain manual
survey poll form: questionnaire feedback vote respondent question response
form survey: fill questionnaire submit field
vote poll election: ballot voter referendum
log history record: logs previous activity audit past
monitor status uptime: check health down running available alive
version update release: latest upgrade changelog patch
random generate: pick shuffle choose surprise dice
fake data generate: dummy mock sample test lorem placeholder
list array sort: order ascending descending element unique duplicates filter merge
string text format: uppercase lowercase reverse replace substring trim length character count
count word text: many characters letters length frequency
image edit resize: crop rotate filter background remove enhance upscale blur brightness watermark compress
video edit clip: trim cut merge subtitle crop
convert file format: pdf mp3 mp4 png jpg docx csv json xml html markdown epub webp
json xml parse: yaml format parse validate
compress archive zip: unzip tar rar extract gzip
color image: rgb hex palette
emoji meme gif: sticker funny reaction
avatar image character: profile cartoon anime persona
3d model print: printer render blender cad stl
virtual reality metaverse: vr ar headset
drone robot device: robotics robot arm sensor
construction building material: concrete cement steel contractor brick architect renovation blueprint structural
manufacturing factory production: machine assembly industrial quality defect plant
supply chain logistics: supplier vendor procurement warehouse inventory
oil gas commodity price: crude barrel gold silver metal copper mining
gold metal price: silver platinum ounce bullion
import export trade: customs tariff goods duty
emergency help police: ambulance fire 911 rescue hospital urgent
vehicle registration license: plate vin dmv driver
train schedule ticket: seat departure railway
bus stop schedule: route transit line departure
`;
