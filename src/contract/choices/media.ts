// What is heard: prompts, what is sent to whom, recordings of what was said, and phones that fall silent. Knows no packet.

import type { Choice } from '../choice.ts';

export const mediaChoices = [
  {
    id: 'CHOICE-PROMPTS',
    topic: 'sound of prompts and spoken texts',
    unspecified: 'What callers hear of the exchange, and how long it takes.',
    ours: 'Every prompt has one length, whoever listens. It is read aloud by espeak-ng, espeak or say where one of them is installed, else it is a melody of its own. A text takes 0.3 s and 70 ms a character, in whole tenths of a second, 60 s at most. Uploads are as long as they say (3 s where they do not, 180 s at most): WAV is decoded here, MP3, MP4 and AAC by ffmpeg where it is installed, else they are a melody as long. Music: CHOICE-MUSIC.',
    why: 'When a call moves on depends on no installed program, so the same calls happen everywhere.',
    operations: ['createLeadCall'],
    accepts: ['any sound'],
  },
  {
    id: 'CHOICE-MUSIC',
    topic: 'what a class of music on hold sounds like, and who hears it',
    unspecified: 'Both: there is no operation to upload music.',
    ours: "Each class is a broken chord of its own, drawn from its name: key, chord, order and pace. The class that comes with an account (locked), and none (0), are the standard one. A queue's moh is heard while one waits there, and on hold in the call with its agent; a ring group's moh_id is heard on hold in the call with its member; held calls of others, parked ones and who is alone in a conference hear the standard one.",
    why: 'One hears which class is set, and no file has to come with it.',
    resources: ['mohs', 'queues', 'ringgroups'],
    accepts: ['any music', "a ring group's in place of ringing"],
  },
  {
    id: 'CHOICE-MEDIA-PARTIES',
    topic: 'who hears whom',
    unspecified: 'Media.',
    ours: 'Two external parties hear each other packet for packet, under the payload numbers that each has asked for. Parties within the process have no sound: an external one hears a voice without words in their place, in a conference one for each, in turn; recordings of calls without external parties have such voices, too. Who is held hears music; who holds is sent nothing. Keys of RFC 4733 reach an external party that has agreed on them in its sound, every other one by SIP INFO; keys of INFO are passed on by INFO, and in its sound to a party that refuses it. At most 20 keys a second are told. 400 external parties at a time are played to, recorded or mixed, 100 in a conference.',
    why: 'Enough for real phones, and no transcoding that hides which codec was agreed.',
  },
  {
    id: 'CHOICE-SILENT-PARTY',
    topic: 'a phone that goes silent',
    unspecified: 'What becomes of a call whose phone has lost its network.',
    ours: 'An external phone that has sent sound, neither holds nor was told to be silent, and then sends nothing for 60 s of real time is hung up on, and the call ends: cause 102, Media timeout. One that never sent a packet is not watched. A phone that lets a session timer run out (RFC 4028), its own or one of serve --session-expires, or does not answer a refresh, ends the call as well: cause 102, Session timer expired.',
    why: 'SIP alone tells of it when the call should end, if ever.',
    accepts: ['any time, or a call that goes on'],
  },
] as const satisfies readonly Choice[];
