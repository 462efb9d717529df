// SPDX-License-Identifier: ISC
// Interrupts to the cycle: entry, wake from sleep, the instruction after SEI and RETI, an enable
// bit set after the flag, priorities, and the three interrupts of USART0.
#include "fw.h"

static volatile uint16_t stamp;
static volatile uint8_t count, stop_after, order[2], order_len, rx_seen, txc_seen, flags;

// First thing in the handler: the timer. 4 (5) cycles of entry and a jmp of 3 lie before.
ISR(TIMER1_COMPA_vect, ISR_NAKED)
{
	__asm__ volatile("lds r24, %0\n\t"
			 "lds r25, %0 + 1\n\t"
			 "sts stamp, r24\n\t"
			 "sts stamp + 1, r25\n\t"
			 "reti" : : "n"(_SFR_MEM_ADDR(TCNT1)));
}

ISR(TIMER0_COMPA_vect) { order[order_len++ & 1] = 0; }
ISR(TIMER0_OVF_vect) { order[order_len++ & 1] = 1; }

ISR(USART0_UDRE_vect)
{
	if (++count == stop_after)
		UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

ISR(USART0_RX_vect) { rx_seen = UDR0; }
ISR(USART0_TX_vect) { txc_seen++; }

static void arm(uint16_t after)
{
	TCCR1B = 0;
	TCCR1A = 0;
	TCNT1 = 0;
	OCR1A = after;
	TIFR1 = 0xff;
	TIMSK1 = _BV(OCIE1A);
	TCCR1B = _BV(CS10);
}

static uint16_t latency_running(void)
{
	arm(100);
	sei();
	for (uint8_t i = 0; i < 10; i++)
		__asm__ volatile(".rept 20\n\tnop\n\t.endr" : : : "r24", "r25");
	cli();
	return stamp - 100;
}

static uint16_t latency_asleep(void)
{
	SMCR = _BV(SE);
	arm(300);
	__asm__ volatile("sei\n\tsleep\n\tcli" : : : "r24", "r25");
	return stamp - 300;
}

// The same when the interrupt is pending before: from the look at the timer to the handler's.
static uint16_t latency_pending(void)
{
	uint16_t before;

	SMCR = _BV(SE);
	arm(10);
	for (uint8_t i = 0; i < 20; i++)
		__asm__ volatile("nop");
	__asm__ volatile("lds %A0, %1\n\t"
			 "lds %B0, %1 + 1\n\t"
			 "sei\n\tsleep\n\tcli" : "=&r"(before) : "n"(_SFR_MEM_ADDR(TCNT1)) : "r24", "r25");
	return stamp - before;
}

static void drain(void)
{
	while (!(UCSR0A & _BV(TXC0)))
		;
}

// Instructions run after SEI with an interrupt pending.
static uint8_t after_sei(void)
{
	uint8_t n = 0;
	drain();
	count = 0;
	stop_after = 1;
	UCSR0B |= _BV(UDRIE0);
	__asm__ volatile("sei\n\tinc %0\n\tcli" : "+r"(n));
	return (uint8_t)(n * 10 + count);
}

// A pending interrupt leaves one instruction between two handlers.
static uint8_t after_reti(void)
{
	uint8_t n = 0;
	drain();
	count = 0;
	stop_after = 5;
	UCSR0B |= _BV(UDRIE0);
	__asm__ volatile("sei\n\t"
			 "inc %0\n\tinc %0\n\tinc %0\n\tinc %0\n\tinc %0\n\tinc %0\n\tinc %0\n\t"
			 "cli" : "+r"(n));
	return (uint8_t)(n * 10 + count);
}

// The flag is up first; then the enable bit is set.
static uint8_t late_enable(void)
{
	TIMSK1 = 0;
	TCCR1B = 0;
	TCNT1 = 0;
	OCR1A = 10;
	TIFR1 = 0xff;
	TCCR1B = _BV(CS10);
	for (uint8_t i = 0; i < 20; i++)
		__asm__ volatile("nop");
	stamp = 0;
	sei();
	TIMSK1 = _BV(OCIE1A);
	__asm__ volatile("nop\n\tnop" : : : "r24", "r25");
	cli();
	return stamp != 0;
}

static uint8_t priority(void)
{
	TCCR0A = 0;
	OCR0A = 30;
	TCCR0B = _BV(CS00);
	TCNT0 = 240;
	TIFR0 = 0xff;
	TIMSK0 = _BV(OCIE0A) | _BV(TOIE0);
	for (uint8_t i = 0; i < 60; i++)
		__asm__ volatile("nop");
	TCCR0B = 0;
	flags = TIFR0;
	sei();
	for (uint8_t i = 0; i < 9; i++)
		__asm__ volatile("nop");
	cli();
	TIMSK0 = 0;
	return (uint8_t)(order_len * 100 + order[0] * 10 + order[1]);
}

static uint8_t uart_txc(void)
{
	drain();
	UCSR0A = _BV(TXC0) | _BV(U2X0);
	UCSR0B |= _BV(TXCIE0);
	UDR0 = '\n';
	sei();
	for (uint16_t i = 0; i < 2000; i++)
		__asm__ volatile("nop");
	cli();
	UCSR0B &= (uint8_t)~_BV(TXCIE0);
	return txc_seen;
}

static uint8_t uart_rx(void)
{
	UCSR0B |= _BV(RXCIE0);
	sei();
	for (uint16_t i = 0; i < 60000 && !rx_seen; i++)
		__asm__ volatile("nop");
	cli();
	return rx_seen;
}

static uint16_t frame_time(void)
{
	drain();
	UCSR0A = _BV(TXC0) | _BV(U2X0);
	timer_start();
	UDR0 = '\n';
	while (!(UCSR0A & _BV(TXC0)))
		;
	return TCNT1;
}

int main(void)
{
	console_start();
	report("porf", MCUSR & _BV(PORF));
	report("running", latency_running());
	report("asleep", latency_asleep());
	report("pending", latency_pending());
	report("after_sei", after_sei());
	report("after_reti", after_reti());
	report("late_enable", late_enable());
	report("priority", priority());
	report("flags", flags & 3);
	report("txc", uart_txc());
	report("rx", uart_rx());
	report("frame", frame_time());
	halt();
}
