/** Objects as pure functions of a number, their FOXML, and all datasets by name. */
package org.fedometer.datasets;
