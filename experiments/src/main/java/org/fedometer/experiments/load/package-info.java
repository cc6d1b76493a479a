/**
 * What a load is to be, and what is said of it afterwards: objects, steps, mixes and studies as a
 * user asks for them, the panel that shows them, and their part of {@code run.json}.
 */
package org.fedometer.experiments.load;
